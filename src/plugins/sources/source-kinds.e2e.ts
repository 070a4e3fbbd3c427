import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BucketServer, CREDENTIALS as KEYS } from '../../../packages/sources/test/bucket-server.js';
import {
  ConfluenceServer,
  CREDENTIALS as TOKEN,
} from '../../../packages/sources/test/confluence-server.js';
import {
  CREDENTIALS as APP_PASSWORD,
  DavServer,
} from '../../../packages/sources/test/dav-server.js';
import { GitServer, hasGit } from '../../../packages/sources/test/git-server.js';
import { ImapServer } from '../../../packages/sources/test/imap-server.js';
import { WebSite } from '../../../packages/sources/test/web-site.js';
import { Client } from '../../../test/support/client.js';
import { Requirement } from '../../../test/support/requirement.js';
import { eventually, Service } from '../../../test/support/service.js';
import { newUserId } from '../../../test/support/shared-service.js';
import { Sources } from '../../../test/support/sources.js';

const MAIL = [
  'Subject: Rates',
  'Message-ID: <1@example.com>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=part',
].join('\r\n');
const ATTACHED = [
  '--part',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'The rates are attached.',
  '--part',
  'Content-Type: text/markdown; charset=utf-8; name=rates.md',
  'Content-Disposition: attachment; filename=rates.md',
  '',
  'A night is 90 euros.',
  '--part--',
  '',
].join('\r\n');
const NOTHING = { added: 0, changed: 0, deleted: 0, unchanged: 0, failed: 0 };

describe('sources of every kind', () => {
  let service: Service;
  let alice: Client;
  let sources: Sources;

  beforeAll(async () => {
    service = await Service.start({ SOURCE_ALLOW_PRIVATE: 'yes' });
    alice = new Client(service, newUserId('alice'));
  });

  afterAll(() => service.stop());

  /** Stopped after the test, also if it fails: an open server would keep the process of the tests. */
  const servers: { stop(): Promise<void> }[] = [];
  async function started<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const server = await starting;
    servers.push(server);
    return server;
  }

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });

  beforeEach(async () => {
    sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
  });

  const secrets = (...texts: string[]) => texts.filter((text) => service.logs.includes(text));

  it('may be buckets', async () => {
    const server = await started(BucketServer.start());
    for (const index of [1, 2, 3, 4]) server.objects.set(`docs/${index}.md`, `Rule ${index}.`);
    const config = { ...server.config, prefix: 'docs/' };
    const wrong = { ...KEYS, secret_access_key: 'another-secret-key' };
    const tested = await alice.post(`/kbs/${sources.kbId}/sources/test`, {
      ...{ type: 's3', config, credentials: wrong },
    });
    expect(tested.body).toMatchObject({ ok: false });
    // What is refused is not loaded again while it stays the same.
    server.objects.set('docs/binary.md', 'No text: \0\x01\x02\0.');
    const refused = () => server.requests.filter((one) => /^GET .*binary/.test(one)).length;
    const source = await sources.connect('s3', config, { credentials: KEYS });
    expect(JSON.stringify(source)).not.toContain(KEYS.secret_access_key);
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, added: 4, failed: 1 });
    expect(refused()).toBe(1);
    server.objects.delete('docs/1.md');
    server.objects.set('docs/2.md', 'Rule 2, changed.');
    const counts = { ...NOTHING, changed: 1, deleted: 1, unchanged: 2, failed: 1 };
    const second = await sources.run(source.id);
    expect(second).toMatchObject({ counts, errors: [{ key: 'docs/binary.md' }] });
    expect(refused()).toBe(1);
    server.objects.set('docs/binary.md', 'A text by now.');
    expect((await sources.run(source.id)).counts).toMatchObject({ added: 1, failed: 0 });
    expect(secrets(KEYS.secret_access_key, 'another-secret-key')).toEqual([]);
  });

  it('delete what is gone before anything is loaded', async () => {
    const server = await started(BucketServer.start());
    for (const index of [1, 2, 3]) server.objects.set(`${index}.md`, `Rule ${index}.`);
    const source = await sources.connect('s3', server.config, { credentials: KEYS });
    await sources.run(source.id);
    server.objects.delete('1.md');
    server.objects.set('4.md', 'Rule 4.');
    const waiting: ServerResponse[] = [];
    server.intercept = ({ method }, response, { pathname }) => {
      const isLoaded = method === 'GET' && pathname.endsWith('.md');
      if (isLoaded) waiting.push(response);
      return isLoaded;
    };
    const { id } = await sources.begin(source.id);
    await eventually(async () => waiting.length > 0 && (await sources.documents()).length === 2);
    expect(await sources.runs(source.id)).toMatchObject([{ id, status: 'running' }, {}]);
    for (const response of waiting) response.writeHead(500).end();
    const counts = { ...NOTHING, deleted: 1, unchanged: 2, failed: 1 };
    expect(await sources.ended(source.id, id)).toMatchObject({ status: 'complete', counts });
  });

  it('lose nothing by a listing that repeats some entries and loses others', async () => {
    const server = await started(BucketServer.start());
    const keys = [1, 2, 3, 4].map((index) => `${index}.md`);
    for (const key of keys) server.objects.set(key, `Rule ${key}.`);
    const source = await sources.connect('s3', server.config, { credentials: KEYS });
    await sources.run(source.id);
    // Every page begins with the same object, and none has the last one.
    const first = /<Contents>.*?<\/Contents>/.exec(server.firstPage())?.[0] ?? '';
    const original = server.listing.bind(server);
    server.listing = (url) =>
      original(url)
        .replace(/<Contents>(?:(?!<\/Contents>).)*4\.md.*?<\/Contents>/, '')
        .replace('<Contents>', `${first}<Contents>`)
        .replace(/<KeyCount>\d+<\/KeyCount>/, '');
    const counts = { ...NOTHING, unchanged: 3 };
    expect((await sources.run(source.id)).counts).toEqual(counts);
    expect(await sources.titles()).toHaveLength(4);
    server.objects.delete('4.md');
    expect((await sources.run(source.id)).counts).toEqual({ ...counts, deleted: 1 });
  });

  it('take the encoding of a text from its server, unless the text is in another one', async () => {
    const site = await started(WebSite.start());
    const serve = (path: string, type: string, bytes: readonly number[]) =>
      site.pages.set(path, (_request, response) => {
        response.writeHead(200, { 'content-type': type });
        response.end(Buffer.concat([Buffer.from('Word\n'), Buffer.from(bytes)]));
      });
    serve('/a.csv', 'text/csv; charset=windows-1250', [0xa3, 0xf3, 0x64, 0x9f]);
    serve('/b.csv', 'text/csv; charset=KOI8-R', [0xed, 0xc9, 0xd2]);
    serve('/c.csv', 'text/csv; charset=iso-8859-1', [...Buffer.from('Łódź')]);
    site.page('/', 'Home', ['/a.csv', '/b.csv', '/c.csv']);
    const source = await sources.connect('website', { start_urls: [`${site.url}/`] });
    await sources.run(source.id);
    const texts = async () => {
      const chunks = (await sources.documents()).map(({ id }) =>
        alice.get(`/documents/${id}/chunks`),
      );
      return JSON.stringify((await Promise.all(chunks)).map(({ body }) => body));
    };
    const expected = /(?=.*Łódź.*Łódź)(?=.*Мир)/;
    await eventually(async () => expected.test(await texts()));
  });

  it('end, say why, and lose nothing, whatever a website answers', async () => {
    const site = await started(WebSite.start());
    const paths = ['/loop', '/chain', '/trap', '/endless', '/short', '/bomb'];
    site.page('/', 'Home', [...paths, '/good']);
    for (const path of [...paths, '/good']) site.page(path, `Page ${path}`, [], `Rule ${path}.`);
    const source = await sources.connect('website', { start_urls: [`${site.url}/`] });
    await sources.run(source.id);
    const before = await sources.documents();
    expect(before).toHaveLength(8);

    const html = { 'content-type': 'text/html' };
    site.pages.set('/loop', (_request, response) => {
      response.writeHead(302, { location: '/loop' }).end();
    });
    site.pages.set('/endless', (_request, response) => {
      response.writeHead(200, { ...html, 'content-length': 10_000_000_000 });
      const part = Buffer.alloc(65_536, 'x');
      const write = () => {
        while (response.write(part));
        response.once('drain', write);
      };
      write();
    });
    site.pages.set('/short', (_request, response) => {
      response.writeHead(200, { ...html, 'content-length': 100 });
      response.write('short', () => response.destroy());
    });
    site.pages.set('/bomb', (_request, response) => {
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(50_000_000)));
    });
    site.intercept = ({ url = '' }, response) => {
      const isChain = url.startsWith('/chain');
      if (isChain) response.writeHead(302, { location: `${url}1` }).end();
      if (!url.startsWith('/trap')) return isChain;
      response.writeHead(200, html).end(`<title>Trap</title><a href="${url}/more">more</a>`);
      return true;
    };
    const run = await sources.run(source.id);
    expect(run).toMatchObject({ status: 'complete', counts: { deleted: 0 } });
    const reasons = new Map(run.errors.map(({ key, message }) => [key, message]));
    for (const path of ['/loop', '/chain', '/endless', '/short', '/bomb']) {
      expect([path, reasons.get(`${site.url}${path}`)]).toEqual([path, expect.any(String)]);
    }
    const ids = new Set((await sources.documents()).map(({ id }) => id));
    expect(before.filter(({ id }) => !ids.has(id))).toEqual([]);
    expect(await sources.titles()).toEqual(expect.arrayContaining(['Page /good', 'Page /bomb']));
  });

  new Requirement(hasGit, 'git is not installed').it('may be repositories', async () => {
    const server = await started(GitServer.start());
    server.push({ 'docs/a.md': 'Rule A.', 'docs/b.md': 'Rule B.', 'c.md': 'Rule C.' });
    const config = { url: server.url, branch: 'main', folder: 'docs' };
    const source = await sources.connect('git', config, { credentials: { token: 'git-token-1' } });
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, added: 2 });
    server.push({ 'docs/a.md': null, 'docs/d.md': 'Rule D.' });
    const counts = { ...NOTHING, added: 1, deleted: 1, unchanged: 1 };
    expect((await sources.run(source.id)).counts).toEqual(counts);
    const before = (await sources.documents()).map(({ id }) => id);
    server.push({ 'docs/d.md': null, 'docs/deep/d.md': 'Rule D.' });
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, changed: 1, unchanged: 1 });
    expect((await sources.documents()).map(({ id }) => id)).toEqual(before);
    server.push({ 'docs/e.md': 'Rule E.' });
    server.intercept = ({ method }, response) => {
      if (method === 'POST') response.socket?.destroy();
      return method === 'POST';
    };
    expect(await sources.run(source.id)).toMatchObject({ status: 'failed' });
    expect(await sources.documents()).toHaveLength(2);
    expect(secrets('git-token-1')).toEqual([]);
  });

  it('may be spaces of Confluence', async () => {
    const server = await started(ConfluenceServer.start());
    server.add('1', { title: 'Leave', body: '<p>Leave is 30 days.</p>' });
    server.add('2', { title: 'Travel', files: { 'rates.md': 'A night is 90 euros.' } });
    const source = await sources.connect('confluence', server.config, { credentials: TOKEN });
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, added: 3 });
    expect(await sources.titles()).toEqual(['Leave', 'Travel', 'rates.md']);
    server.pages.delete('1');
    const counts = { ...NOTHING, deleted: 1, unchanged: 2 };
    expect((await sources.run(source.id)).counts).toEqual(counts);
    expect(secrets(TOKEN.token)).toEqual([]);
  });

  it('may be folders of Nextcloud', async () => {
    const server = await started(DavServer.start());
    server.files.set('leave.md', 'Leave is 30 days.');
    server.files.set('hr/pay & rates.md', 'A night is 90 euros.');
    server.files.set('hr/other.md', 'Tea is free.');
    const access = { hr: { allow: ['group:hr'] } };
    const config = { ...server.config, access };
    const wrong = { ...APP_PASSWORD, password: 'another-password' };
    const tested = await alice.post(`/kbs/${sources.kbId}/sources/test`, {
      ...{ type: 'webdav', config, credentials: wrong },
    });
    expect(tested.body).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    const source = await sources.connect('webdav', config, { credentials: APP_PASSWORD });
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, added: 3 });
    const before = await sources.documents();
    expect(before).toContainEqual(
      expect.objectContaining({
        ...{ title: 'pay & rates.md', date: { value: '2025-03-05', from: 'source' } },
        source_url: expect.stringMatching(/\/index\.php\/f\/\d+$/),
      }),
    );
    const { api_key: key } = await alice.createApiKey(sources.kbId);
    await eventually(async () => (await alice.query(key, 'leave')).body.results.length > 0);
    expect((await alice.query(key, 'What is a night?')).text).not.toContain('90 euros');
    // What is moved stays the same document, and is not loaded again.
    server.move('hr/pay & rates.md', 'open/rates.md');
    const loads = () => server.requests.filter((one) => one.startsWith('GET')).length;
    const loaded = loads();
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, changed: 1, unchanged: 2 });
    expect(loads()).toBe(loaded);
    const ids = (documents: typeof before) => documents.map(({ id }) => id).sort();
    expect(ids(await sources.documents())).toEqual(ids(before));
    await eventually(async () =>
      (await alice.query(key, 'What is a night?')).text.includes('90 euros'),
    );
    server.files.delete('leave.md');
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, deleted: 1, unchanged: 2 });
    expect(secrets(APP_PASSWORD.password, wrong.password)).toEqual([]);
  });

  it('may be folders of mail, with what is attached to the mails', async () => {
    const server = await started(ImapServer.start());
    server.add('INBOX', 4, MAIL, ATTACHED);
    server.add('INBOX', 5, 'Subject: Leave\r\nMessage-ID: <2@example.com>', 'Leave is 30 days.');
    const tested = await alice.post(`/kbs/${sources.kbId}/sources/test`, {
      ...{ type: 'imap', config: server.config },
      credentials: { ...APP_PASSWORD, password: 'another-password' },
    });
    expect(tested.body).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    const source = await sources.connect('imap', server.config, { credentials: APP_PASSWORD });
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, added: 2 });
    const before = await sources.documents();
    expect(before).toContainEqual(
      expect.objectContaining({
        ...{ title: 'Rates', date: { value: '2025-03-05', from: 'source' } },
        source_url: 'mid:1%40example.com',
      }),
    );
    const { api_key: key } = await alice.createApiKey(sources.kbId);
    await eventually(async () =>
      (await alice.query(key, 'What is a night?')).text.includes('90 euros'),
    );
    // One is moved, and one is deleted.
    server.folders.clear();
    server.add('Archive', 1, MAIL, ATTACHED);
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, changed: 1, deleted: 1 });
    const [left, ...others] = await sources.documents();
    expect([left?.id, others]).toEqual([before.find(({ title }) => title === 'Rates')?.id, []]);
    expect(secrets(APP_PASSWORD.password, 'another-password')).toEqual([]);
  });

  it.each<[string, (socket: Socket) => void]>([
    [
      'lines without an end',
      (socket) => {
        const part = '* 1 EXISTS\r\n'.repeat(5000);
        const write = () => {
          while (!socket.destroyed && socket.write(part));
          socket.once('drain', write);
        };
        write();
      },
    ],
    [
      'a literal of 2 GB',
      (socket) => {
        socket.write('* 1 FETCH (UID 4 ENVELOPE {2000000000}\r\n');
      },
    ],
  ])('end and lose nothing, when a mail server sends %s', async (_name, send) => {
    const server = await started(ImapServer.start());
    server.add('INBOX', 4, 'Subject: Leave', 'Leave is 30 days.');
    const source = await sources.connect('imap', server.config, { credentials: APP_PASSWORD });
    await sources.run(source.id);
    server.intercept = (command, socket) => {
      const isAsked = command.startsWith('FETCH');
      if (isAsked) send(socket);
      return isAsked;
    };
    expect(await sources.run(source.id)).toMatchObject({ status: 'failed' });
    expect(await sources.titles()).toEqual(['Leave']);
  });

  it('let a page of Confluence be read by those who may there, and by nobody if unknown', async () => {
    const server = await started(ConfluenceServer.start());
    server.add('1', { title: 'Doors', body: '<p>The code of the door is 4711.</p>' });
    server.add('2', {
      ...{ title: 'Board', body: '<p>The code of the safe is 4712.</p>', groups: ['board'] },
    });
    server.add('3', {
      ...{ title: 'Vault', body: '<p>The code of the vault is 4713.</p>', users: ['ann'] },
      parentId: '2',
    });
    const source = await sources.connect('confluence', server.config, { credentials: TOKEN });
    const run = await sources.run(source.id);
    expect(run).toMatchObject({ status: 'complete', counts: { ...NOTHING, added: 3 } });
    expect(run.errors).toContainEqual(
      expect.objectContaining({ key: 'page:3', code: 'access_unreadable' }),
    );
    const keyOf = async (...principals: string[]) =>
      (await alice.createApiKey(sources.kbId, { principals })).api_key;
    const codes = async (credential: string) => {
      const { body } = await alice.query(credential, 'What is the code?');
      return body.results.flatMap(({ text }) => /\d{4}/.exec(text) ?? []).sort();
    };
    const key = await keyOf();
    const board = await keyOf('user:ann', 'group:board');
    await eventually(async () => (await codes(board)).length === 2);
    expect([await codes(key), await codes(await keyOf('user:ann')), await codes(board)]).toEqual([
      ['4711'],
      ['4711'],
      ['4711', '4712'],
    ]);
    // A restriction that is lifted there is lifted here, though the page is the same.
    const page = server.pages.get('2');
    if (page) server.pages.set('2', { ...page, groups: [] });
    await sources.run(source.id);
    await eventually(async () => (await codes(key)).includes('4712'));
  });
});
