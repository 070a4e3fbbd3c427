import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CREDENTIALS, davEntry, DavServer, multistatus } from '../../test/dav-server.js';
import { describeKind, listed, SourceOpener } from '../../test/kind-suite.js';
import type { SourceContext } from '../source-kind.js';
import { DavClient, type DavConfig, type DavCredentials } from './dav-client.js';
import { webdav } from './webdav.js';

describeKind<DavConfig, DavCredentials>(async () => {
  const server = await DavServer.start();
  return {
    kind: webdav,
    config: server.config,
    credentials: CREDENTIALS,
    wrongConfig: { url: `${server.config.url}missing/` },
    takesRules: true,
    hasSidecars: true,
    put: (name, content) => void server.files.set(name, content),
    remove: (name) => void server.files.delete(name),
    breakListing: () => {
      server.files.set('below/four.md', '4');
      server.intercept = (_request, response, { pathname }) => {
        if (!pathname.endsWith('/below/')) return false;
        response.writeHead(500).end();
        return true;
      };
    },
    stop: () => server.stop(),
  };
});

const FOLDER = '<d:resourcetype><d:collection/></d:resourcetype>';
const FILE = '<d:resourcetype/><d:getetag>"1"</d:getetag>';

describe('webdav', () => {
  const opener = new SourceOpener();
  let server: DavServer;

  beforeEach(async () => {
    server = await DavServer.start();
  });

  afterEach(async () => {
    await opener.close();
    await server.stop();
  });

  const open = (config: Partial<DavConfig> = {}, more: Partial<SourceContext> = {}) =>
    opener.open(
      { kind: webdav, config: { ...server.config, ...config }, credentials: CREDENTIALS },
      more,
    );
  const keys = async (config?: Partial<DavConfig>) =>
    [...(await listed(await open(config))).keys()].sort();

  /** Answers listings as the function says, by the path. */
  const answerListings = (answer: (path: string) => string) => {
    server.intercept = ({ method }, response, { pathname }) => {
      if (method === 'PROPFIND') response.writeHead(207).end(answer(pathname));
      return method === 'PROPFIND';
    };
  };

  it('lists folders in folders with addresses, dates and sizes', async () => {
    server.files.set('a.md', 'a');
    server.files.set('hr/deep/b.md', 'bb');
    server.files.set('film.mp4', '');
    server.files.set('.hidden/c.md', 'c');
    const warnings: string[] = [];
    const source = await open({}, { warn: (message) => warnings.push(message) });
    const entries = await listed(source);
    expect([...entries.keys()].sort()).toEqual(['a.md', 'hr/deep/b.md']);
    expect(entries.get('hr/deep/b.md')).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/index\.php\/f\/\d+$/),
      modifiedAt: new Date('2025-03-05T08:00:00Z'),
      size: 2,
    });
    expect(warnings).toEqual(['1 files have no format that can be read.']);
  });

  const NAMES = ['100% #1?.md', 'a&b=c+d.md', 'täglich/知识 库.md', 'e\u0301t\u00e9.md', '%41.md'];

  it.each([
    ['paths', (path: string) => path],
    ['whole addresses', (path: string) => `https://cloud.within:8443${path}`],
    [
      'few characters encoded',
      (path: string) => encodeURI(decodeURIComponent(path)).replaceAll('&', '&amp;'),
    ],
  ])('reads files of any name, listed by %s', async (_name, toHref) => {
    server.toHref = toHref;
    for (const name of NAMES) server.files.set(name, `content of ${name}`);
    const source = await open();
    const entries = await listed(source);
    expect([...entries.keys()].sort()).toEqual([...NAMES].sort());
    for (const entry of entries.values()) {
      expect(await text((await source.load(entry)).body)).toBe(`content of ${entry.key}`);
    }
  });

  it('reads what the patterns say, and does not open folders that are left out', async () => {
    for (const name of ['a.md', 'b.txt', 'old/c.md', 'hr/d.md']) server.files.set(name, name);
    expect(await keys({ include: ['*.md'], exclude: ['old/*'] })).toEqual(['a.md', 'hr/d.md']);
    expect(server.requests.some((request) => request.includes('/old/'))).toBe(false);
  });

  it('knows a file of Nextcloud that was moved by its number and its content', async () => {
    server.files.set('a.md', 'a');
    const before = (await listed(await open())).get('a.md');
    server.move('a.md', 'there/b.md');
    const after = (await listed(await open())).get('there/b.md');
    expect(after).toMatchObject({ version: before?.version, versionIsOfContent: true });
  });

  it('compares dates and sizes where there are no ETags, and says where there are neither', async () => {
    const date = '<d:getlastmodified>Wed, 05 Mar 2025 08:00:00 GMT</d:getlastmodified>';
    answerListings((path) =>
      multistatus([
        davEntry(path, FOLDER),
        davEntry(
          `${path}a.md`,
          `<d:resourcetype/>${date}<d:getcontentlength>7</d:getcontentlength>`,
        ),
        davEntry(`${path}b.md`, '<d:resourcetype/>'),
      ]),
    );
    const entries = await listed(await open());
    expect(entries.get('a.md')).toMatchObject({ version: '2025-03-05T08:00:00.000Z 7' });
    expect(entries.get('a.md')?.versionIsOfContent).toBeUndefined();
    expect(entries.get('b.md')).toMatchObject({ unavailable: expect.stringContaining('ETag') });
  });

  it('asks no other host, whatever path a listing names', async () => {
    answerListings((path) =>
      multistatus([
        davEntry(path, FOLDER),
        davEntry(`http://within${path.replace('/', '//')}a.md`, FILE),
      ]),
    );
    const { origin } = new URL(server.config.url);
    for (const url of [server.config.url, `${origin}/127.0.0.1:1/`]) {
      const source = await open({ url });
      const [entry] = (await listed(source)).values();
      if (!entry) throw new Error('nothing is listed');
      expect(entry.url.startsWith(`${origin}/`)).toBe(true);
      await expect(source.load(entry)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('loads no file that was changed since it was listed', async () => {
    server.files.set('a.md', 'before');
    const source = await open();
    const [entry] = (await listed(source)).values();
    server.files.set('a.md', 'after');
    if (!entry) throw new Error('nothing is listed');
    await expect(source.load(entry)).rejects.toMatchObject({ code: 'changed_while_reading' });
  });

  it('says what is wrong without a secret', async () => {
    const wrong = { kind: webdav, config: server.config };
    const source = await opener.open({
      ...wrong,
      credentials: { username: 'ada', password: 'wrong-secret' },
    });
    const failure: unknown = await listed(source).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unauthorized' });
    expect(String(failure)).not.toContain('wrong-secret');
    server.intercept = (_request, response) => {
      response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end();
      return true;
    };
    await expect(keys()).rejects.toMatchObject({ code: 'not_allowed' });
    server.intercept = (_request, response) => {
      response.writeHead(405).end();
      return true;
    };
    await expect(keys()).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['is cut', (path: string) => multistatus([davEntry(path, FOLDER)]).slice(0, -20)],
    ['does not name the folder', (path: string) => multistatus([davEntry(`${path}a.md`, FILE)])],
    ['is of another folder', () => multistatus([davEntry('/elsewhere/', FOLDER)])],
    [
      'is of a folder above',
      (path: string) => multistatus([davEntry(path, FOLDER), davEntry(`${path}../a.md`, FILE)]),
    ],
    [
      'says that there is more',
      (path: string) => multistatus([davEntry(path, FOLDER), MORE(path)]),
    ],
    ['is something else', () => '<html></html>'],
    ['is empty', () => ''],
    [
      'goes on without an end',
      (path: string) => multistatus([davEntry(path, FOLDER), davEntry(`${path}a/`, FOLDER)]),
    ],
    [
      'declares entities',
      (path: string) =>
        `<!DOCTYPE x [${BOMB}]>${multistatus([davEntry(path, `${FOLDER}<d:displayname>&e9;</d:displayname>`)])}`,
    ],
    ['is nested deeply', () => '<d>'.repeat(50)],
    [
      'has a long text',
      (path: string) =>
        multistatus([davEntry(path, `${FOLDER}<d:getetag>${'x'.repeat(20_000)}</d:getetag>`)]),
    ],
  ])('refuses a listing that %s', async (_name, answer) => {
    answerListings(answer);
    await expect(keys()).rejects.toMatchObject({ code: 'incomplete_listing' });
  });

  it('refuses a listing that has no end, or more entries than are read', async () => {
    server.intercept = (_request, response, { pathname }) => {
      response.writeHead(207).write(multistatus([davEntry(pathname, FOLDER)]).slice(0, -16));
      const part = davEntry(`${pathname}a.mp4`, FILE).repeat(1000);
      const write = () => {
        while (!response.destroyed && response.write(part));
        response.once('drain', write);
      };
      write();
      return true;
    };
    await expect(keys()).rejects.toMatchObject({
      code: expect.stringMatching(/^too_(?:many_documents|large)$/),
    });
  });

  it('reads a share of Nextcloud by its link', async () => {
    const config = { url: 'https://cloud.example.com/sub/index.php/s/AbCdEf123456789' };
    const client = new DavClient(config, {}, await opener.context());
    expect(client.base.href).toBe(
      'https://cloud.example.com/sub/public.php/dav/files/AbCdEf123456789/',
    );
  });

  it.each([
    [{ username: 'a:b', password: 'x' }],
    [{ password: 'x' }],
    [{ token: 'a', username: 'b' }],
    [{ token: 'a\nb' }],
  ])('refuses the credentials %j', (credentials) => {
    expect(() => webdav.parse(server.config, credentials)).toThrow();
  });
});

const MORE = (path: string) =>
  `<d:response><d:href>${path}</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response>`;
const BOMB = Array.from(
  { length: 10 },
  (_, at) => `<!ENTITY e${at} "${at === 0 ? 'x' : `&e${at - 1};`.repeat(10)}">`,
).join('');
