// A run over documents that have not changed: requests, seconds, memory; and how soon what was deleted is answered no more.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import {
  LONG_TIMEOUTS,
  median,
  report,
  round,
  scratchDirectory,
  startService,
} from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */

const DOCUMENTS = Number(process.env['SOURCE_DOCUMENTS'] ?? 10_000);
const ROUNDS = 3;
const MAX_SECONDS = 60;
/** Beyond the interval of the schedule. */
const MAX_DELETION_SECONDS = 60;

export default async function sources() {
  const folders = scratchDirectory();
  const { url: serverUrl, server } = await startPostgres();
  try {
    const unchanged = [];
    const deletions = [];
    const loads = [];
    for (const engine of /** @type {const} */ (['SQLite', 'PostgreSQL'])) {
      const database = engine === 'SQLite' ? {} : { DATABASE_URL: await createDatabase(serverUrl) };
      const service = await startService({
        ...{ SOURCE_FOLDERS: folders, SOURCE_ALLOW_PRIVATE: 'yes', EMBEDDINGS: 'off' },
        ...database,
        ...LONG_TIMEOUTS,
      });
      try {
        for (const place of [
          folderOf(mkdtempSync(join(folders, 'folder-')), DOCUMENTS),
          await siteOf(DOCUMENTS),
        ]) {
          const measured = await measure(service, place);
          unchanged.push({ engine, source: place.type, ...measured.unchanged });
          deletions.push({ engine, source: place.type, ...measured.deletion });
          await place.close();
          loads.push(round(loadavg()[1] ?? 0, 1));
        }
      } finally {
        await service.stop();
      }
    }
    report('sources', {
      notes: [
        `a run over ${DOCUMENTS} documents that have not changed: median of ${ROUNDS}, at most ${MAX_SECONDS} s; memory is the most that the service had more than before; requests are those that the source got`,
        `deletion: from the deletion of a document at the source until a question finds it no more, by a schedule of one minute; at most ${MAX_DELETION_SECONDS} s more than the interval`,
        `the machine's load (mean of five minutes) at the end of each row: ${loads.join(', ')}`,
      ],
      tables: { 'Nothing has changed': unchanged, 'A document is deleted': deletions },
    });
  } finally {
    await server.stop();
  }
}

/**
 * @typedef {object} Place
 * @property {string} type
 * @property {object} config
 * @property {() => number} requests
 * @property {(index: number) => void} remove
 * @property {() => Promise<void>} close
 */

/** @type {(index: number) => string} */
const nameOf = (index) => `${index % 100}/page-${index}`;
/** @type {(index: number) => string} */
const textOf = (index) => `The code of door number${index} is ${index * 7}.`;

/** @type {(path: string, count: number) => Place} */
function folderOf(path, count) {
  for (let index = 0; index < Math.min(100, count); index++) mkdirSync(join(path, String(index)));
  for (let index = 0; index < count; index++) {
    writeFileSync(join(path, `${nameOf(index)}.md`), textOf(index));
  }
  return {
    type: 'folder',
    config: { path },
    requests: () => 0,
    remove: (index) => {
      rmSync(join(path, `${nameOf(index)}.md`));
    },
    close: () => Promise.resolve(),
  };
}

/** @type {(count: number) => Promise<Place>} */
async function siteOf(count) {
  const pages = new Map(Array.from({ length: count }, (_, index) => [`/${nameOf(index)}`, index]));
  let requests = 0;
  const web = createServer(({ url = '', headers }, response) => {
    requests++;
    const index = pages.get(url);
    const etag = `"${index}"`;
    if (url === '/sitemap.xml') {
      const base = `http://${headers.host}`;
      const urls = [...pages.keys()].map((page) => `<url><loc>${base}${page}</loc></url>`);
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.end(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`,
      );
    } else if (index === undefined) response.writeHead(404).end();
    else if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else {
      response.writeHead(200, { 'content-type': 'text/html', etag });
      response.end(
        `<html><head><title>Page ${index}</title></head><body><main><p>${textOf(index)}</p></main></body></html>`,
      );
    }
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (web.address());
  const address = `http://127.0.0.1:${port}`;
  return {
    type: 'website',
    config: { start_urls: [`${address}/${nameOf(0)}`], sitemap_url: `${address}/sitemap.xml` },
    requests: () => requests,
    remove: (index) => {
      pages.delete(`/${nameOf(index)}`);
    },
    close: async () => {
      web.close();
      web.closeAllConnections();
      await once(web, 'close');
    },
  };
}

/** @param {Service} service @param {Place} place */
async function measure(service, place) {
  const kb = await service.call('POST', '/kbs', { name: place.type });
  const key = await service.call('POST', `/kbs/${kb.id}/api-keys`, {
    name: 'bench',
    environment: 'live',
  });
  const { type, config } = place;
  const source = await service.call('POST', `/kbs/${kb.id}/sources`, { type, config, name: type });
  const first = await timed(service, source.id);
  const unchanged = [];
  for (let index = 0; index < ROUNDS; index++) {
    const requestsBefore = place.requests();
    const run = await timed(service, source.id);
    if (run.counts.unchanged !== DOCUMENTS) throw new Error(JSON.stringify(run));
    unchanged.push({ ...run, requests: place.requests() - requestsBefore });
  }
  const seconds = round(median(unchanged.map((run) => run.seconds)), 1);
  // Found first, so that it is known that the question finds it.
  const target = DOCUMENTS - 1;
  const isFound = async () => {
    const body = { api_key: key.api_key, message: `What is the code of door number${target}?` };
    const { results } = await service.call('POST', '/query', body);
    return results.some((/** @type {{ text: string }} */ { text }) =>
      text.includes(`number${target} `),
    );
  };
  while (!(await isFound())) await pause(500);
  await service.call('PATCH', `/sources/${source.id}`, { schedule: { every_minutes: 1 } });
  place.remove(target);
  const removedAt = performance.now();
  while (await isFound()) await pause(200);
  const deletedIn = round((performance.now() - removedAt) / 1000, 1);
  await service.call('PATCH', `/sources/${source.id}`, { state: 'paused' });
  return {
    unchanged: {
      'first run, s': round(first.seconds, 1),
      s: seconds,
      requests: median(unchanged.map(({ requests }) => requests)),
      'memory, MB': round(Math.max(...unchanged.map(({ memory }) => memory)), 0),
      verdict: seconds <= MAX_SECONDS ? 'met' : 'missed',
    },
    deletion: {
      's until it is answered no more': deletedIn,
      verdict: deletedIn <= 60 + MAX_DELETION_SECONDS ? 'met' : 'missed',
    },
  };
}

/** @param {Service} service @param {string} sourceId */
async function timed(service, sourceId) {
  const before = memoryOf(service.pid);
  const startedAt = performance.now();
  const { id } = await service.call('POST', `/sources/${sourceId}/run`, {});
  let most = before;
  for (;;) {
    const { data } = await service.call('GET', `/sources/${sourceId}/runs?limit=1`);
    most = Math.max(most, memoryOf(service.pid));
    const [run] = data;
    if (run?.id === id && run.status !== 'running') {
      if (run.status !== 'complete') throw new Error(JSON.stringify(run));
      const seconds = (performance.now() - startedAt) / 1000;
      return { seconds, memory: most - before, counts: run.counts };
    }
    await pause(100);
  }
}

/** @param {number} pid @returns {number} megabytes */
const memoryOf = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
