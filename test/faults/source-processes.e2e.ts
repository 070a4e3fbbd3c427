import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { WebSite } from '../../packages/sources/test/web-site.js';
import { Client } from '../support/client.js';
import { onlyOn } from '../support/requirement.js';
import { eventually, Service } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';
import { Sources } from '../support/sources.js';
import { sql } from '../support/sql.js';

const PAGES = 60;
const PAGE_MS = 25;
const MINUTE_MS = 60_000;
const INTERVAL_MS = MINUTE_MS;
const NAMES = ['first', 'second'] as const;

onlyOn('postgres').describe('two processes with the same sources', () => {
  let services: Service[];
  let site: WebSite;
  let sources: Sources;
  let client: (service: Service | undefined) => Client;
  /** The name of the process that made each request, in order. */
  let crawlers: string[];
  let mostAtOnce: number;

  beforeEach(async () => {
    site = await WebSite.start();
    const paths = Array.from({ length: PAGES }, (_, index) => `/${index}`);
    for (const path of paths) site.page(path, `Page ${path}`, paths, `Rule ${path}.`);
    crawlers = [];
    mostAtOnce = 0;
    let atOnce = 0;
    site.intercept = ({ headers, url = '' }, response) => {
      crawlers.push(/https:\/\/(\w+)\.example/.exec(headers['user-agent'] ?? '')?.[1] ?? '');
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      setTimeout(() => {
        atOnce--;
        const page = site.pages.get(url);
        const status = typeof page === 'string' ? 200 : 404;
        response.writeHead(status, { 'content-type': 'text/html' }).end(page);
      }, PAGE_MS);
      return true;
    };
    const start = (name: string, before: NodeJS.ProcessEnv) =>
      Service.start({
        ...before,
        ...{ PUBLIC_URL: `https://${name}.example`, SOURCE_ALLOW_PRIVATE: 'yes' },
      });
    const first = await start('first', {});
    const { PORT, ...environment } = first.environment;
    services = [first, await start('second', environment)];
    const user = newUserId('alice');
    client = (service = first) => new Client(service, user);
    sources = new Sources(client(first), (await client(first).createKnowledgeBase()).id);
  });

  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await site.stop();
  });

  const connect = () => sources.connect('website', { start_urls: [`${site.url}/0`] });
  const at = (name: string) => services[NAMES.indexOf(name as 'first')];
  const otherThan = (name: string) => services[1 - NAMES.indexOf(name as 'first')];

  it('run each once at a time, whichever is told to', async () => {
    const source = await connect();
    const runs = await Promise.all(
      [...services, ...services].map((service) =>
        new Sources(client(service), sources.kbId).begin(source.id),
      ),
    );
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    const run = await sources.ended(source.id, runs[0]?.id ?? '');
    expect(run).toMatchObject({ status: 'complete', errors: [], counts: { added: PAGES } });
    expect([new Set(crawlers).size, mostAtOnce]).toEqual([1, 1]);
    expect(await sources.runs(source.id)).toHaveLength(1);
  });

  it('continue the run of the other when that is killed, and load nothing twice', async () => {
    const source = await connect();
    const { id } = await sources.begin(source.id);
    await eventually(async () => crawlers.length > PAGES && (await sources.documents()).length > 5);
    const killed = crawlers[0] ?? '';
    await at(killed)?.kill();
    const left = new Sources(client(otherThan(killed)), sources.kbId);
    const run = await left.ended(source.id, id);
    expect(run).toMatchObject({ status: 'complete', errors: [], listed: PAGES });
    expect(run.counts.added + run.counts.unchanged).toBe(PAGES);
    expect(new Set(crawlers)).toEqual(new Set(NAMES));
    const addresses = (await left.documents()).map(({ source_url }) => source_url);
    expect([addresses.length, new Set(addresses).size]).toEqual([PAGES, PAGES]);
    const again = await left.run(source.id);
    expect(again.counts).toMatchObject({ added: 0, changed: 0, unchanged: PAGES });
  });

  it('answer nothing that is gone after the interval and a minute, though one is killed', async () => {
    const schedule = { every_minutes: INTERVAL_MS / 60_000 };
    const config = { start_urls: [`${site.url}/0`] };
    const source = await sources.connect('website', config, { schedule });
    await sources.run(source.id);
    const { api_key: key } = await client(services[0]).createApiKey(sources.kbId);
    const isAnswered = async (service: Service | undefined) =>
      (await client(service).query(key, 'Rule /7')).body.results.some(({ text }) =>
        text.includes('Rule /7.'),
      );
    for (const service of services) await eventually(() => isAnswered(service), 60_000);

    site.pages.delete('/7');
    const goneAt = performance.now();
    crawlers = [];
    // The process that would have noticed it is killed while it lists.
    await eventually(() => crawlers.length > 2, INTERVAL_MS + MINUTE_MS);
    const killed = crawlers[0] ?? '';
    await at(killed)?.kill();
    const left = INTERVAL_MS + MINUTE_MS - (performance.now() - goneAt);
    await eventually(async () => !(await isAnswered(otherThan(killed))), left);
  });

  it('queue what a schedule has due once', async () => {
    const connected = [];
    for (let index = 0; index < 10; index++) connected.push(await connect());
    const { environment } = services[0] ?? {};
    if (!environment) throw new Error('There is no service');
    await sql(
      environment,
      `UPDATE sources SET schedule = '{"every_minutes": 60}', next_run_at = now() - interval '1 second'`,
    );
    for (const { id } of connected) {
      await eventually(async () => (await sources.runs(id))[0]?.status === 'complete', 60_000);
      expect(await sources.runs(id)).toHaveLength(1);
      expect((await sources.get(id)).next_run_at).not.toBeNull();
    }
  });
});
