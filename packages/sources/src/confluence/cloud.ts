import { type SourceContext, SourceError } from '../source-kind.js';
import { type ConfluenceClient, MAX_PAGE_BYTES } from './confluence-client.js';
import { parseDate, type Edition, type WikiAttachment, type WikiPage } from './edition.js';
import type { JsonValue } from './json-value.js';
import { intersectAccess, readRestriction, type Restriction } from './restrictions.js';

const PAGE_SIZE = 250;
/** Folders may be nested in folders. */
const MAX_LEVELS = 100;

interface Node {
  readonly restriction: Restriction;
  readonly parentId: string | undefined;
  readonly parentType: string | undefined;
}

/** Confluence Cloud: uses `/api/v2`, and `/rest/api` for restrictions, which v2 lacks. */
export class Cloud implements Edition {
  private readonly nodes = new Map<string, Node>();

  constructor(
    private readonly client: ConfluenceClient,
    private readonly space: string,
    private readonly context: SourceContext,
  ) {}

  async test(): Promise<void> {
    await this.spaceId();
  }

  async *listPages(): AsyncIterable<WikiPage> {
    const pages = new Map<string, JsonValue>();
    const path = `/api/v2/spaces/${await this.spaceId()}/pages?limit=${PAGE_SIZE}&status=current`;
    for await (const page of this.list(path)) {
      pages.set(page.at('id').text(), page);
      if (pages.size > this.context.limits.maxEntries) {
        throw new SourceError('too_many_documents', 'The space has too many pages.');
      }
    }
    for (const [id, page] of pages) this.nodes.set(id, await this.readNode(id, page));
    for (const [id, page] of pages) {
      yield {
        id,
        title: page.at('title').text(),
        version: page.at('version', 'number').text(),
        modifiedAt: parseDate(page.at('version', 'createdAt').optionalText()),
        path: page.at('_links', 'webui').optionalText() ?? `/pages/viewpage.action?pageId=${id}`,
        access: intersectAccess(await this.collectLevels(id)),
        attachments: await this.listAttachments(id),
      };
    }
  }

  async readBody(id: string): Promise<string> {
    const path = `/api/v2/pages/${encodeURIComponent(id)}?body-format=storage`;
    const page = await this.client.get(path, MAX_PAGE_BYTES);
    return page.at('body', 'storage', 'value').text();
  }

  private async spaceId(): Promise<string> {
    const answer = await this.client.get(`/api/v2/spaces?keys=${encodeURIComponent(this.space)}`);
    const id = answer.at('results').list()[0]?.at('id').text();
    if (id === undefined) throw new SourceError('not_found', 'Confluence has no such space.');
    return encodeURIComponent(id);
  }

  /** Yields the entries of all pages of a listing, following the cursors. */
  private async *list(path: string): AsyncGenerator<JsonValue> {
    const seen = new Set<string>();
    for (let next: string | undefined = path; next !== undefined;) {
      if (seen.has(next)) {
        throw new SourceError('incomplete_listing', 'Confluence lists the same pages again.');
      }
      seen.add(next);
      const answer: JsonValue = await this.client.get(next);
      yield* answer.at('results').list();
      next = answer.at('_links', 'next').optionalText();
    }
  }

  private async readNode(id: string, value: JsonValue): Promise<Node> {
    return {
      restriction: await this.fetchRestriction(id),
      parentId: value.at('parentId').optionalText(),
      parentType: value.at('parentType').optionalText(),
    };
  }

  /** Restrictions do not change the version of a page, so they are read at each run. */
  private async fetchRestriction(id: string): Promise<Restriction> {
    const path = `/rest/api/content/${encodeURIComponent(id)}/restriction/byOperation/read`;
    try {
      const answer = await this.client.get(`${path}?expand=restrictions.user,restrictions.group`);
      return readRestriction(answer.at('restrictions'));
    } catch (error) {
      const isRefused =
        error instanceof SourceError &&
        (error.code === 'unauthorized' || error.code === 'not_found');
      if (!isRefused) throw error;
      return 'unreadable';
    }
  }

  private async collectLevels(id: string): Promise<Restriction[]> {
    const levels: Restriction[] = [];
    let node = this.nodes.get(id);
    while (node) {
      levels.push(node.restriction);
      const { parentId, parentType } = node;
      if (parentId === undefined) return levels;
      if (levels.length > MAX_LEVELS) break;
      node = this.nodes.get(parentId) ?? (await this.readFolder(parentId, parentType));
    }
    return ['unreadable'];
  }

  /** Reads a folder, which no listing of pages contains; other kinds of parents are unknown. */
  private async readFolder(id: string, type: string | undefined): Promise<Node | undefined> {
    if (type !== 'folder') return undefined;
    const folder = await this.client.get(`/api/v2/folders/${encodeURIComponent(id)}`);
    const node = await this.readNode(id, folder);
    this.nodes.set(id, node);
    return node;
  }

  private async listAttachments(id: string): Promise<WikiAttachment[]> {
    const attachments: WikiAttachment[] = [];
    for await (const attachment of this.list(
      `/api/v2/pages/${id}/attachments?limit=${PAGE_SIZE}`,
    )) {
      attachments.push({
        id: attachment.at('id').text(),
        title: attachment.at('title').text(),
        version: attachment.at('version', 'number').text(),
        size: Number(attachment.at('fileSize').optionalText() ?? Number.NaN) || undefined,
        downloadPath: attachment.at('downloadLink').text(),
      });
    }
    return attachments;
  }
}
