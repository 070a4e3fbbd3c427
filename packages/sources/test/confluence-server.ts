import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.js';

export const CREDENTIALS = { email: 'bot@example.org', token: 'confluence-token' };
const SPACE = 'DOCS';
const CLOUD = 'https://team.atlassian.net';

export interface TestPage {
  readonly title: string;
  body: string;
  version: number;
  readonly parentId?: string;
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

/** Answers for one space, as documented by Confluence Cloud and Data Center. */
export class ConfluenceServer extends LocalServer {
  readonly pages = new Map<string, TestPage>();
  /** The parents of pages that are not pages themselves, by id. */
  readonly folders = new Map<string, TestPage>();
  pageSize = 2;
  /** Hides who may read a page, as from an account without that permission. */
  hidesRestrictions = false;

  static start(): Promise<ConfluenceServer> {
    return new ConfluenceServer().listen();
  }

  /** The configuration of a source; Data Center is often served below a path, as here. */
  get config() {
    return { base_url: `${this.url}/confluence`, space: SPACE };
  }

  get cloudConfig() {
    return { base_url: CLOUD, space: SPACE };
  }

  /** Sends requests for the cloud to this server. */
  readonly cloudFetch = (url: string | URL, init?: RequestInit): Promise<Response> =>
    fetch(String(url).replace(CLOUD, this.url), init);

  add(id: string, page: Partial<TestPage> & { title: string }): void {
    this.pages.set(id, { body: `<p>${page.title}</p>`, version: 1, ...page });
  }

  protected answer(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const { email, token } = CREDENTIALS;
    const basic = `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`;
    if (request.headers.authorization !== basic) {
      response.writeHead(401).end('{}');
      return;
    }
    const [, context, ...path] = url.pathname.split('/');
    const answer = context === 'wiki' ? this.cloud(path, url) : this.dataCenter(path, url);
    if (answer === undefined) response.writeHead(404).end('{"statusCode":404}');
    else if (typeof answer === 'string') response.end(answer);
    else {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    }
  }

  private dataCenter(path: string[], { searchParams }: URL): unknown {
    const [first, , kind, id] = path;
    if (first === 'download') return this.file(path.slice(2));
    if (kind === 'space') return id === SPACE ? { key: SPACE } : undefined;
    if (id !== undefined) {
      const page = this.pages.get(id);
      return page && { id, body: { storage: { value: page.body } } };
    }
    if (searchParams.get('spaceKey') !== SPACE) return undefined;
    const start = Number(searchParams.get('start'));
    const all = [...this.pages];
    const part = all.slice(start, start + this.pageSize);
    const more = start + part.length < all.length;
    return {
      results: part.map(([one, page]) => this.dataCenterPage(one, page)),
      start,
      limit: this.pageSize,
      size: part.length,
      _links: { base: this.config.base_url, ...(more && { next: '/rest/api/content?next' }) },
    };
  }

  private dataCenterPage(id: string, page: TestPage): object {
    const ancestors: { id: string }[] = [];
    for (let at = page.parentId; at !== undefined; at = this.pages.get(at)?.parentId) {
      ancestors.unshift({ id: at });
    }
    return {
      id,
      title: page.title,
      version: { number: page.version, when: '2026-01-01T00:00:00.000Z' },
      ancestors,
      ...(!this.hidesRestrictions && {
        restrictions: { read: { restrictions: toRestrictions(page, 'username') } },
      }),
      children: { attachment: { results: toAttachments(id, page, 'extensions'), limit: 25 } },
      _links: { webui: `/display/${SPACE}/${id}` },
    };
  }

  private cloud(path: string[], { searchParams, pathname }: URL): unknown {
    const [first, , kind, id = '', below] = path;
    if (first === 'download') return this.file(path.slice(2));
    const page = this.pages.get(id) ?? this.folders.get(id);
    if (first === 'rest') {
      return page && { operation: 'read', restrictions: toRestrictions(page, 'accountId') };
    }
    if (kind === 'spaces' && below === undefined) {
      return { results: searchParams.get('keys') === SPACE ? [{ id: '77' }] : [] };
    }
    if (kind === 'folders') return page && { id, parentId: page.parentId, parentType: 'page' };
    if (kind === 'pages' && below === 'attachments') {
      return page && { results: toAttachments(id, page, 'fileSize'), _links: {} };
    }
    if (kind === 'pages') return page && { id, body: { storage: { value: page.body } } };
    const start = Number(searchParams.get('cursor') ?? 0);
    const all = [...this.pages];
    const part = all.slice(start, start + this.pageSize);
    const next = start + part.length;
    return {
      results: part.map(([one, { title, version, parentId = null }]) => ({
        id: one,
        title,
        parentId,
        parentType: parentId === null ? null : this.pages.has(parentId) ? 'page' : 'folder',
        version: { number: version, createdAt: '2026-01-01T00:00:00.000Z' },
        _links: { webui: `/spaces/${SPACE}/pages/${one}` },
      })),
      _links: next < all.length ? { next: `${pathname}?cursor=${next}` } : {},
    };
  }

  private file([id = '', name = '']: string[]): string | undefined {
    return this.pages.get(id)?.files?.[decodeURIComponent(name)];
  }
}

function toRestrictions({ users = [], groups = [] }: TestPage, userId: string): object {
  const list = (results: object[]) => ({ results, start: 0, limit: 200, size: results.length });
  return {
    user: list(users.map((user) => ({ type: 'known', [userId]: user }))),
    group: list(groups.map((name) => ({ type: 'group', name }))),
  };
}

function toAttachments(id: string, { files = {} }: TestPage, form: 'extensions' | 'fileSize') {
  return Object.entries(files).map(([title, content]) => {
    const path = `/download/attachments/${id}/${encodeURIComponent(title)}`;
    const fileSize = content.length;
    return {
      id: `att-${id}-${title}`,
      title,
      version: { number: 1 },
      ...(form === 'fileSize'
        ? { fileSize, downloadLink: path }
        : { extensions: { fileSize }, _links: { download: path } }),
    };
  });
}
