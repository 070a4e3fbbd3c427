import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfluenceServer, CREDENTIALS } from '../../test/confluence-server.js';
import { describeKind, listed, SourceOpener } from '../../test/kind-suite.js';
import type { SourceContext, SourceFetch } from '../source-kind.js';
import { confluence } from './confluence.js';
import { JsonValue } from './json-value.js';
import { readRestriction } from './restrictions.js';

const EDITIONS = ['Data Center', 'Cloud'] as const;

describe.each(EDITIONS)('Confluence %s', (edition) => {
  const isCloud = edition === 'Cloud';
  const getConfig = (server: ConfluenceServer) => (isCloud ? server.cloudConfig : server.config);
  const getFetch = (server: ConfluenceServer): SourceFetch => (isCloud ? server.cloudFetch : fetch);

  describeKind(async () => {
    const server = await ConfluenceServer.start();
    return {
      kind: confluence,
      config: getConfig(server),
      credentials: CREDENTIALS,
      fetch: getFetch(server),
      wrongConfig: { ...getConfig(server), space: 'MISSING' },
      put: (name: string, content: string) => {
        const version = (server.pages.get(name)?.version ?? 0) + 1;
        server.add(name, { title: name, body: `<p>${content}</p>`, version });
      },
      remove: (name: string) => void server.pages.delete(name),
      breakListing: () => {
        server.intercept = (_request, response, { search }) => {
          if (!/cursor=|start=[1-9]/.test(search)) return false;
          response.writeHead(500).end();
          return true;
        };
      },
      stop: () => server.stop(),
    };
  });

  const opener = new SourceOpener();
  let server: ConfluenceServer;

  beforeEach(async () => {
    server = await ConfluenceServer.start();
  });

  afterEach(async () => {
    await opener.close();
    await server.stop();
  });

  const open = (more: Partial<SourceContext> = {}, credentials = CREDENTIALS) =>
    opener.open(
      { kind: confluence, config: getConfig(server), credentials, fetch: getFetch(server) },
      more,
    );
  const list = async (more?: Partial<SourceContext>) => listed(await open(more));
  const addPages = (count: number) => {
    for (let id = 1; id <= count; id++) server.add(String(id), { title: `Page ${id}` });
  };

  it('lists pages with addresses and titles, and attachments that can be read', async () => {
    server.add('1', { title: 'Home', files: { 'plan.md': '# Plan', 'film.mp4': '' } });
    const source = await open();
    const entries = await listed(source);
    expect([...entries.keys()]).toEqual(['page:1', 'attachment:att-1-plan.md']);
    expect(entries.get('page:1')).toMatchObject({
      title: 'Home',
      version: '1',
      url: isCloud
        ? 'https://team.atlassian.net/wiki/spaces/DOCS/pages/1'
        : `${server.url}/confluence/display/DOCS/1`,
    });
    const attachment = entries.get('attachment:att-1-plan.md');
    if (!attachment) throw new Error('no attachment');
    expect(await text((await source.load(attachment)).body)).toBe('# Plan');
  });

  it('tells who may read a page, by all restrictions above it', async () => {
    server.add('1', { title: 'Open' });
    server.add('2', { title: 'Staff', groups: ['staff', 'board'], users: ['ann'] });
    server.add('3', { title: 'Below', parentId: '2', files: { 'a.md': 'a' } });
    server.add('4', { title: 'Narrower', parentId: '3', groups: ['board'], users: ['bob'] });
    server.add('5', { title: 'Nobody known', parentId: '4', users: ['ann'] });
    const warnings: string[] = [];
    const entries = await list({ warn: (message) => warnings.push(message) });
    const access = (key: string) => entries.get(key)?.access;
    expect(access('page:1')).toBeUndefined();
    expect(access('page:2')).toEqual({
      allow: ['group:board', 'group:staff', 'user:ann'],
      deny: [],
    });
    expect(access('page:3')).toEqual(access('page:2'));
    expect(access('attachment:att-3-a.md')).toEqual(access('page:2'));
    expect(access('page:4')).toEqual({ allow: ['group:board'], deny: [] });
    expect(access('page:5')).toBe('unreadable');
    expect(warnings).toEqual(['Who may read 1 pages cannot be found out.']);
  });

  it('waits when it is asked to, and asks again after a failure and a cut answer', async () => {
    addPages(3);
    const faults = [
      (response: ServerResponse) => response.writeHead(429, { 'retry-after': '0' }).end(),
      (response: ServerResponse) => response.writeHead(500).end(),
      (response: ServerResponse) => response.end('{"results": [{"id": "1", "ti'),
    ];
    server.intercept = (_request, response) => {
      const fault = faults.shift();
      fault?.(response);
      return fault !== undefined;
    };
    expect((await list()).size).toBe(3);
    expect(faults).toEqual([]);
  });

  it('refuses a listing that begins again and again, and one of another form', async () => {
    addPages(5);
    const next = isCloud ? '/wiki/api/v2/spaces/77/pages?cursor=2' : '/rest/api/content?x';
    server.intercept = (_request, response, { pathname, search }) => {
      if (!/\/(?:pages|content)$/.test(pathname)) return false;
      const results = [1, 2].map((id) => ({ id, title: search.slice(0, 1), version: {} }));
      response.end(JSON.stringify({ results, _links: { next } }));
      return true;
    };
    await expect(list()).rejects.toMatchObject({ code: 'incomplete_listing' });
    server.intercept = (_request, response) => {
      response.end('{"results": {"not": "a list"}}');
      return true;
    };
    await expect(list()).rejects.toMatchObject({ code: 'incomplete_listing' });
  });

  it('refuses a list that is longer than was asked for, and a page that is too large', async () => {
    addPages(1);
    const source = await open();
    const [entry] = (await listed(source)).values();
    if (!entry) throw new Error('no page');
    server.intercept = (_request, response) => {
      response.end(`{"body": {"storage": {"value": "${'x'.repeat(16 * 1024 * 1024)}"}}}`);
      return true;
    };
    await expect(source.load(entry)).rejects.toMatchObject({ code: 'too_large' });
    server.intercept = (_request, response) => {
      response.end(`{"results": [${'{"id": "1"},'.repeat(2000)} {"id": "1"}]}`);
      return true;
    };
    await expect(list()).rejects.toMatchObject({ code: 'incomplete_listing' });
  });

  it('sends the token nowhere else, and tells it nobody', async () => {
    addPages(1);
    const source = await open({}, { ...CREDENTIALS, token: 'wrong-token' });
    const failure: unknown = await listed(source).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unauthorized' });
    expect(String(failure)).not.toContain('wrong-token');
    server.intercept = (_request, response) => {
      const next = 'https://elsewhere.example.org/rest/api/content';
      response.end(JSON.stringify({ results: [{ id: '1' }, { id: '2' }], _links: { next } }));
      return true;
    };
    const asked: string[] = [];
    const spying: SourceFetch = (url, init) => {
      asked.push(String(url));
      return getFetch(server)(url, init);
    };
    await expect(list({ fetch: spying })).rejects.toThrow();
    expect(asked.filter((url) => url.includes('elsewhere'))).toEqual([]);
  });

  if (isCloud) {
    it('reads the restrictions of folders, and says when some cannot be read', async () => {
      server.add('1', { title: 'In a folder', parentId: '9' });
      server.folders.set('9', { title: '', body: '', version: 1, groups: ['staff'] });
      server.add('2', { title: 'Refused' });
      server.intercept = (_request, response, { pathname }) => {
        if (!pathname.includes('/content/2/restriction')) return false;
        response.writeHead(403).end();
        return true;
      };
      const entries = await list();
      expect(entries.get('page:1')?.access).toEqual({ allow: ['group:staff'], deny: [] });
      expect(entries.get('page:2')?.access).toBe('unreadable');
    });
  } else {
    it('lists again when a page is deleted meanwhile, which hides another one', async () => {
      addPages(6);
      server.intercept = (_request, _response, { searchParams }) => {
        if (searchParams.get('start') !== '0') server.pages.delete('1');
        return false;
      };
      expect([...(await list()).keys()]).toEqual([2, 3, 4, 5, 6].map((id) => `page:${id}`));
    });
  }
});

it('a page that names more readers than a rule has is not told to anybody', () => {
  const restriction = (count: number) => {
    const results = Array.from({ length: count }, (_, index) => ({ username: `reader-${index}` }));
    return readRestriction(new JsonValue({ user: { results }, group: { results: [] } }));
  };
  expect(restriction(500)).toHaveLength(500);
  expect(restriction(501)).toBe('unreadable');
});
