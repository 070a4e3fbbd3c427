import { type SourceContext, SourceError } from '../source-kind.js';
import { type ConfluenceClient, MAX_PAGE_BYTES } from './confluence-client.js';
import { parseDate, type Edition, type WikiAttachment, type WikiPage } from './edition.js';
import type { JsonValue } from './json-value.js';
import { intersectAccess, readRestriction, type Restriction } from './restrictions.js';

const PAGE_SIZE = 100;
/** How often a listing is tried, as the space may change meanwhile. */
const ATTEMPTS = 3;

const EXPANSIONS = [
  'version',
  'ancestors',
  'restrictions.read.restrictions.user',
  'restrictions.read.restrictions.group',
  'children.attachment.version',
  'children.attachment.extensions',
].join(',');

/** Confluence Data Center and Server: uses `/rest/api`. */
export class DataCenter implements Edition {
  constructor(
    private readonly client: ConfluenceClient,
    private readonly space: string,
    private readonly context: SourceContext,
  ) {}

  async test(): Promise<void> {
    await this.client.get(`/rest/api/space/${encodeURIComponent(this.space)}`);
  }

  async *listPages(): AsyncIterable<WikiPage> {
    const pages = await this.listAll();
    const restrictions = new Map<string, Restriction>();
    for (const [id, page] of pages) {
      restrictions.set(id, readRestriction(page.at('restrictions', 'read', 'restrictions')));
    }
    for (const [id, page] of pages) {
      const ancestors = page
        .at('ancestors')
        .list()
        .map((one) => one.at('id').text());
      const levels = [id, ...ancestors].map((one) => restrictions.get(one) ?? 'unreadable');
      yield {
        id,
        title: page.at('title').text(),
        version: page.at('version', 'number').text(),
        modifiedAt: parseDate(page.at('version', 'when').optionalText()),
        path: page.at('_links', 'webui').optionalText() ?? `/pages/viewpage.action?pageId=${id}`,
        access: intersectAccess(levels),
        attachments: await this.listAttachments(page.at('children', 'attachment')),
      };
    }
  }

  async readBody(id: string): Promise<string> {
    const path = `/rest/api/content/${encodeURIComponent(id)}?expand=body.storage`;
    const page = await this.client.get(path, MAX_PAGE_BYTES);
    return page.at('body', 'storage', 'value').text();
  }

  /** @throws SourceError if the space changes so often that it cannot be listed completely */
  private async listAll(): Promise<Map<string, JsonValue>> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const pages = await this.listOnce();
      if (pages) return pages;
    }
    const message = 'The space changed while it was listed; the next run lists it again.';
    throw new SourceError('incomplete_listing', message);
  }

  /**
   * Lists the pages once. Listings use offsets, so a page deleted meanwhile would hide another one. Each
   * request therefore begins with the last page of the previous one; returns undefined if that has changed.
   */
  private async listOnce(): Promise<Map<string, JsonValue> | undefined> {
    const pages = new Map<string, JsonValue>();
    let last: string | undefined;
    for (let start = 0; ;) {
      const query = new URLSearchParams({
        spaceKey: this.space,
        type: 'page',
        status: 'current',
        start: String(start),
        limit: String(PAGE_SIZE),
        expand: EXPANSIONS,
      });
      const answer = await this.client.get(`/rest/api/content?${query.toString()}`);
      const results = answer.at('results').list();
      if (last !== undefined && results[0]?.at('id').text() !== last) return undefined;
      for (const page of results) pages.set(page.at('id').text(), page);
      if (pages.size > this.context.limits.maxEntries) {
        throw new SourceError('too_many_documents', 'The space has too many pages.');
      }
      if (answer.at('_links', 'next').isMissing) return pages;
      if (results.length < 2) return undefined;
      last = results.at(-1)?.at('id').text();
      start += results.length - 1;
    }
  }

  private async listAttachments(first: JsonValue): Promise<WikiAttachment[]> {
    if (first.isMissing) return [];
    const attachments: WikiAttachment[] = [];
    const seen = new Set<string>();
    for (let list = first; ;) {
      attachments.push(...list.at('results').list().map(toAttachment));
      const next = list.at('_links', 'next').optionalText();
      if (next === undefined) return attachments;
      if (seen.has(next) || attachments.length > this.context.limits.maxEntries) {
        throw new SourceError(
          'incomplete_listing',
          'Confluence lists attachments again and again.',
        );
      }
      seen.add(next);
      list = await this.client.get(next);
    }
  }
}

const toAttachment = (attachment: JsonValue): WikiAttachment => ({
  id: attachment.at('id').text(),
  title: attachment.at('title').text(),
  version: attachment.at('version', 'number').text(),
  size: Number(attachment.at('extensions', 'fileSize').optionalText() ?? Number.NaN) || undefined,
  downloadPath: attachment.at('_links', 'download').text(),
});
