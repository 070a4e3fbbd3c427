import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BucketServer, CREDENTIALS as KEYS } from '../../../packages/sources/test/bucket-server.js';
import {
  ConfluenceServer,
  CREDENTIALS as TOKEN,
} from '../../../packages/sources/test/confluence-server.js';
import { WebSite } from '../../../packages/sources/test/web-site.js';
import { Client } from '../../../test/support/client.js';
import { repetitions } from '../../../test/support/repetitions.js';
import { eventually, Service } from '../../../test/support/service.js';
import { newUserId } from '../../../test/support/shared-service.js';
import { Sources } from '../../../test/support/sources.js';

const SECTIONS = repetitions(4, 100);
const PER_SECTION = repetitions(10, 50);
const PAGES = SECTIONS * PER_SECTION;
/** Enough for a run over five thousand pages on a busy machine. */
const RUN_MS = 900_000;
const NOTHING = { added: 0, changed: 0, deleted: 0, unchanged: 0, failed: 0 };

describe('sources that change', () => {
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

  it('move documents that are moved there, whole folders too, without loading them again', async () => {
    const server = await started(BucketServer.start());
    const names = [1, 2, 3, 4].map((index) => `${index}.md`);
    for (const name of names)
      server.objects.set(`old/${name}`, `The code of door ${name} is 4711.`);
    const access = { hr: { allow: ['group:hr'] } };
    const config = { ...server.config, access };
    const source = await sources.connect('s3', config, { credentials: KEYS });
    // Nothing is below hr yet: a run asks about it, and only then somebody can say that it is right.
    const first = await sources.run(source.id, { confirm: true });
    expect(first.status).toBe('needs_confirmation');
    await sources.run(source.id, { confirm: true });
    const added = await sources.documents();
    await Promise.all(added.map(({ id }) => alice.readDocument(id)));
    const moved = added.find(({ title }) => title === '1.md');
    const kept = { external_id: 'kept', metadata: { kind: 'rule' } };
    await alice.call('PATCH', `/documents/${moved?.id ?? ''}`, kept);
    const before = await sources.documents();
    const move = (from: string, to: string) => {
      server.objects.set(to, server.objects.get(from) ?? '');
      server.objects.delete(from);
    };
    for (const name of names) move(`old/${name}`, `new/${name}`);
    move('new/4.md', 'new/four.md');
    const counts = { ...NOTHING, changed: 4 };
    expect((await sources.run(source.id, { preview: true })).counts).toEqual(counts);
    expect(await sources.documents()).toEqual(before);
    // Nothing can be loaded meanwhile.
    server.intercept = ({ method }, response, { pathname }) => {
      const isLoaded = method === 'GET' && pathname.endsWith('.md');
      if (isLoaded) response.writeHead(500).end();
      return isLoaded;
    };
    expect(await sources.run(source.id)).toMatchObject({ status: 'complete', counts });
    const after = await sources.documents();
    const places = after.map(({ id, title, source_url }) => [id, title, source_url]);
    const expected = before.map(({ id, title, source_url }) => {
      const name = title === '4.md' ? 'four.md' : title;
      return [id, name, source_url?.replace(`old/${title}`, `new/${name}`)];
    });
    expect(places.sort()).toEqual(expected.sort());
    expect(after.find(({ id }) => id === moved?.id)).toMatchObject(kept);
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, unchanged: 4 });

    // A moved document is read by whom its new place lets.
    const { api_key: key } = await alice.createApiKey(sources.kbId);
    const found = async () =>
      (await alice.query(key, 'What is the code of door 1.md?')).body.results.filter(({ text }) =>
        text.includes('door 1.md'),
      ).length;
    await eventually(async () => (await found()) === 1);
    move('new/1.md', 'hr/1.md');
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, changed: 1, unchanged: 3 });
    expect(await found()).toBe(0);
    // Nothing is below hr any more: somebody may have given that folder another name.
    move('hr/1.md', 'new/1.md');
    expect(await sources.run(source.id)).toMatchObject({ status: 'needs_confirmation' });
    expect(await found()).toBe(0);
    expect(await sources.run(source.id, { confirm: true })).toMatchObject({ status: 'complete' });
    expect(await found()).toBe(1);
  });

  it('leave a moved document in place under legal hold, under the rule of its new place', async () => {
    const server = await started(BucketServer.start());
    for (const name of ['pub/1', 'pub/2', 'pub/3', 'hr/4', 'hr/5']) {
      server.objects.set(`${name}.md`, `The code of door ${name.slice(-1)} is 4711.`);
    }
    const access = { hr: { allow: ['group:hr'] }, pub: { allow: ['everyone'] } };
    const config = { ...server.config, access };
    const source = await sources.connect('s3', config, { credentials: KEYS });
    await sources.run(source.id);
    // The places of documents that everybody may read.
    const open = async () => {
      const documents = await sources.documents();
      const checked = documents.map(async ({ id, source_url: url }) => {
        const path = `/documents/${id}/access-check`;
        const { body } = await alice.post<{ allowed: boolean }>(path, { principals: [] });
        return body.allowed ? [url?.split('/').slice(-2).join('/')] : [];
      });
      return (await Promise.all(checked)).flat().sort();
    };
    const urls = async () => (await sources.documents()).map(({ source_url: url }) => url).sort();
    const move = (from: string, to: string) => {
      server.objects.set(to, server.objects.get(from) ?? '');
      server.objects.delete(from);
    };
    const expectRun = async (counts: object) => {
      const run = await sources.run(source.id);
      expect(run.counts).toEqual({ ...NOTHING, ...counts });
      return run;
    };
    const before = await urls();
    await alice.set(sources.kbId, { legal_hold: true });
    move('pub/1.md', 'hr/1.md');
    move('hr/4.md', 'pub/4.md');
    const run = await expectRun({ unchanged: 3, failed: 2 });
    expect(run.errors.map(({ key, code }) => [key, code]).sort()).toEqual([
      ['hr/1.md', 'legal_hold'],
      ['pub/4.md', 'legal_hold'],
    ]);
    expect([await urls(), await open()]).toEqual([before, ['hr/4.md', 'pub/2.md', 'pub/3.md']]);
    await alice.set(sources.kbId, { legal_hold: false });
    await expectRun({ changed: 2, unchanged: 3 });
    expect(await open()).toEqual(['pub/2.md', 'pub/3.md', 'pub/4.md']);
    // Nobody has set the rules that they had meanwhile, so none of these comes along.
    move('hr/1.md', 'pub/1.md');
    move('pub/4.md', 'hr/4.md');
    await expectRun({ changed: 2, unchanged: 3 });
    expect([await urls(), await open()]).toEqual([before, ['pub/1.md', 'pub/2.md', 'pub/3.md']]);
  });

  it('load documents again that are not certainly moved', async () => {
    const server = await started(BucketServer.start());
    server.objects.set('a/one.md', 'The same.');
    server.objects.set('b/two.md', 'The same.');
    server.objects.set('three.txt', '# Rule three');
    const source = await sources.connect('s3', server.config, { credentials: KEYS });
    await sources.run(source.id);
    const before = new Set((await sources.documents()).map(({ id }) => id));
    server.objects.clear();
    server.objects.set('c/one.md', 'The same.');
    server.objects.set('c/two.md', 'The same.');
    // As Markdown it is read in another way.
    server.objects.set('three.md', '# Rule three');
    const counts = { ...NOTHING, added: 3, deleted: 3 };
    expect((await sources.run(source.id, { confirm: true })).counts).toEqual(counts);
    expect((await sources.documents()).filter(({ id }) => before.has(id))).toEqual([]);
  });

  it('open nothing of Confluence if its readers are unknown and the knowledge base is closed', async () => {
    const server = await started(ConfluenceServer.start());
    server.add('1', { title: 'Doors', body: '<p>The code of the door is 4711.</p>' });
    server.add('2', { title: 'Safe', body: '<p>The code is 4712.</p>', groups: ['board'] });
    server.hidesRestrictions = true;
    const closed = { default_access: 'closed' };
    await alice.set(sources.kbId, closed);
    const source = await sources.connect('confluence', server.config, { credentials: TOKEN });
    const run = await sources.run(source.id);
    expect(run).toMatchObject({ status: 'complete', counts: { ...NOTHING, added: 2 } });
    const unreadable = run.errors.filter(({ code }) => code === 'access_unreadable');
    expect(unreadable.map(({ key }) => key).sort()).toEqual(['page:1', 'page:2']);
    const { api_key: key } = await alice.createApiKey(sources.kbId);
    const principals = ['user:ann', 'group:board', 'group:everyone'];
    const { api_key: board } = await alice.createApiKey(sources.kbId, { principals });
    const codes = async (credential: string) => {
      const { results } = (await alice.query(credential, 'What is the code?')).body;
      return results.flatMap(({ text }) => /\d{4}/.exec(text) ?? []).sort();
    };
    const found = async () => [await codes(key), await codes(board)];
    const documents = await sources.documents();
    await Promise.all(documents.map(({ id }) => alice.readDocument(id)));
    expect(await found()).toEqual([[], []]);
    // An open knowledge base does not open them either; once it is known again, it does.
    await alice.set(sources.kbId, { default_access: 'members' });
    expect(await found()).toEqual([[], []]);
    server.hidesRestrictions = false;
    await sources.run(source.id);
    await eventually(async () => (await codes(board)).length === 2);
    expect(await found()).toEqual([['4711'], ['4711', '4712']]);
    await alice.set(sources.kbId, closed);
    expect(await found()).toEqual([[], ['4712']]);
  });

  it(
    'are websites of many pages that change, fail and go',
    async () => {
      const site = await started(WebSite.start());
      const sections = Array.from({ length: SECTIONS }, (_, section) => `/sections/${section}`);
      const pagesOf = (section: number) =>
        Array.from({ length: PER_SECTION }, (_, index) => `/${section}/${index}`);
      site.page('/', 'Home', sections);
      for (const [section, path] of sections.entries()) {
        site.page(path, `Section ${section}`, pagesOf(section));
        for (const page of pagesOf(section)) site.page(page, `Page ${page}`, [], `Rule ${page}.`);
      }
      const all = 1 + SECTIONS + PAGES;
      const source = await sources.connect('website', { start_urls: [`${site.url}/`] });
      const first = await sources.run(source.id, {}, RUN_MS);
      expect(first).toMatchObject({ status: 'complete', counts: { ...NOTHING, added: all } });

      // One page is new, one changed, one deleted, and one fails; so does a section, which leads to others.
      site.page('/sections/0', 'Section 0', [...pagesOf(0).slice(1), '/new']);
      site.page('/new', 'New');
      site.pages.delete('/0/0');
      site.page('/1/0', 'Changed');
      const fail = (path: string) => {
        site.pages.set(path, (_request, response) => response.writeHead(500).end());
      };
      fail('/2/0');
      fail('/sections/3');
      site.requests.length = 0;
      const second = await sources.run(source.id, {}, RUN_MS);
      expect(second.counts).toEqual({
        ...{ added: 1, changed: 2, deleted: 1, failed: 2, unchanged: all - 5 },
      });
      // One request for each page, whose content comes again only where it has changed.
      expect(site.requests).toHaveLength(all + 1);
      expect(site.requests.filter((request) => request.endsWith(' 200'))).toHaveLength(3);

      await site.stop();
      expect(await sources.run(source.id, {}, RUN_MS)).toMatchObject({ status: 'failed' });
      expect(await sources.documents()).toHaveLength(all);
    },
    3 * RUN_MS,
  );
});
