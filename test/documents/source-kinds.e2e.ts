import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BucketServer, CREDENTIALS as KEYS } from '../../packages/sources/test/bucket-server.js';
import {
  ConfluenceServer,
  CREDENTIALS as TOKEN,
} from '../../packages/sources/test/confluence-server.js';
import { GitServer, hasGit } from '../../packages/sources/test/git-server.js';
import { WebSite } from '../../packages/sources/test/web-site.js';
import { Client } from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { Requirement } from '../support/requirement.js';
import { Service } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';
import { Sources } from '../support/sources.js';

const PAGES = repetitions(300, 5_000);
const PER_SECTION = 50;
const SECTIONS = PAGES / PER_SECTION;
/** Of five thousand pages, on a machine that does other things. */
const RUN_MS = 900_000;
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

  beforeEach(async () => {
    sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
  });

  const secrets = (...texts: string[]) => texts.filter((text) => service.logs.includes(text));

  it('are buckets', async () => {
    const server = await BucketServer.start();
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
    await server.stop();
  });

  new Requirement(hasGit, 'git is not installed').it('are repositories', async () => {
    const server = await GitServer.start();
    server.push({ 'docs/a.md': 'Rule A.', 'docs/b.md': 'Rule B.', 'c.md': 'Rule C.' });
    const config = { url: server.url, branch: 'main', folder: 'docs' };
    const source = await sources.connect('git', config, { credentials: { token: 'git-token-1' } });
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, added: 2 });
    server.push({ 'docs/a.md': null, 'docs/d.md': 'Rule D.' });
    const counts = { ...NOTHING, added: 1, deleted: 1, unchanged: 1 };
    expect((await sources.run(source.id)).counts).toEqual(counts);
    server.push({ 'docs/e.md': 'Rule E.' });
    server.intercept = ({ method }, response) => {
      if (method === 'POST') response.socket?.destroy();
      return method === 'POST';
    };
    expect(await sources.run(source.id)).toMatchObject({ status: 'failed' });
    expect(await sources.documents()).toHaveLength(2);
    expect(secrets('git-token-1')).toEqual([]);
    await server.stop();
  });

  it('are spaces of Confluence', async () => {
    const server = await ConfluenceServer.start();
    server.add('1', { title: 'Leave', body: '<p>Leave is 30 days.</p>' });
    server.add('2', { title: 'Travel', files: { 'rates.md': 'A night is 90 euros.' } });
    const source = await sources.connect('confluence', server.config, { credentials: TOKEN });
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, added: 3 });
    expect(await sources.titles()).toEqual(['Leave', 'Travel', 'rates.md']);
    server.pages.delete('1');
    const counts = { ...NOTHING, deleted: 1, unchanged: 2 };
    expect((await sources.run(source.id)).counts).toEqual(counts);
    expect(secrets(TOKEN.token)).toEqual([]);
    await server.stop();
  });

  it(
    'are websites of many pages that change, fail and go',
    async () => {
      const site = await WebSite.start();
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
