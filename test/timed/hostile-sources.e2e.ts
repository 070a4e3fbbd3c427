import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GitServer, hasGit } from '../../packages/sources/test/git-server.js';
import { WebSite } from '../../packages/sources/test/web-site.js';
import { Client } from '../support/client.js';
import { HOSTILE_SERVERS, startHostileServer } from '../support/hostile-source-servers.mjs';
import { isThorough } from '../support/repetitions.js';
import { Requirement } from '../support/requirement.js';
import { eventually, Service } from '../support/service.js';
import { Sources } from '../support/sources.js';

const HEALTH_LIMIT_MS = 100;
const RUN_LIMIT_MS = 60_000;
/** A busy machine can disturb one measurement; what holds the service up shows in each. */
const MEASUREMENTS = 3;

describe("a source's server", () => {
  let service: Service;
  let alice: Client;

  beforeAll(async () => {
    service = await Service.start({ SOURCE_ALLOW_PRIVATE: 'yes' });
    alice = new Client(service, 'alice');
  });

  afterAll(() => service.stop());

  /** How long 99 of 100 requests for /health/live wait during `work`, at most. */
  async function healthBeside(work: () => Promise<void>): Promise<number> {
    const waits: number[] = [];
    const stop = new AbortController();
    const watching = (async () => {
      while (!stop.signal.aborted) {
        const startedAt = performance.now();
        await (await fetch(`${service.url}/health/live`)).text();
        waits.push(performance.now() - startedAt);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    await work().finally(() => {
      stop.abort();
    });
    await watching;
    waits.sort((a, b) => a - b);
    return waits[Math.floor(waits.length * 0.99)] ?? 0;
  }

  it.each(HOSTILE_SERVERS.map((hostile) => [hostile.name, hostile] as const))(
    'that sends %s holds up nobody, and its run ends',
    async (_name, hostile) => {
      const server = await startHostileServer(hostile);
      try {
        const { type, config, credentials = {} } = hostile;
        const waits: number[] = [];
        while (waits.length < MEASUREMENTS && !waits.some((wait) => wait <= HEALTH_LIMIT_MS)) {
          const sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
          const source = await sources.connect(type, config(server.origin), { credentials });
          const wait = await healthBeside(async () => {
            await sources.run(source.id, {}, RUN_LIMIT_MS);
          });
          waits.push(wait);
        }
        expect(Math.min(...waits)).toBeLessThanOrEqual(HEALTH_LIMIT_MS);
      } finally {
        await server.stop();
      }
    },
    4 * RUN_LIMIT_MS,
  );

  const large = new Requirement(
    isThorough && hasGit,
    'it makes a gigabyte, so only thorough runs do, with git',
  );
  large.it('of Git that has an object that inflates to a gigabyte is given up', async () => {
    const server = await GitServer.start();
    try {
      server.push({ 'a.md': 'a' });
      // A hundred megabytes more than its process may use.
      truncateSync(join(server.workFolder, 'a.md'), 1124 * 1024 ** 2);
      server.git('-c', 'core.compression=1', 'commit', '-qam', 'large');
      server.publish();
      const sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
      const source = await sources.connect('git', { url: server.url });
      expect(await sources.run(source.id, {}, 10 * RUN_LIMIT_MS)).toMatchObject({
        status: 'failed',
        errors: [{ code: 'too_large' }],
      });
    } finally {
      await server.stop();
    }
  });

  it('is read in a process whose end ends nothing: the run goes on in another one', async () => {
    const site = await WebSite.start();
    try {
      const waiting: (() => void)[] = [];
      site.page('/', 'Home', ['/a']);
      site.page('/a', 'A');
      site.intercept = (_request, response, { pathname }) => {
        if (pathname !== '/a' || waiting.length > 0) return false;
        waiting.push(() => response.destroy());
        return true;
      };
      const sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
      const source = await sources.connect('website', { start_urls: [`${site.url}/`] });
      const { id } = await sources.begin(source.id);
      await eventually(() => waiting.length > 0);
      const readers = processesOf(service.pid).filter((pid) =>
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('source.process'),
      );
      expect(readers).toHaveLength(1);
      for (const pid of readers) {
        // A password in the service's variables is not in those of the process.
        expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('PEPPER');
        process.kill(pid, 'SIGKILL');
      }
      expect(await sources.ended(source.id, id)).toMatchObject({
        status: 'complete',
        counts: { added: 2 },
        errors: [],
      });
    } finally {
      await site.stop();
    }
  });
});

const processesOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
