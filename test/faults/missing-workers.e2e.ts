import { readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { copyOfBuild } from '../support/build-copy.js';
import { type Answer, atOnce, Client, type Document, outcome } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { freePort } from '../support/postgres.mjs';
import { eventually, Service } from '../support/service.js';
import { engine } from '../support/test-database.js';

/** A request that hangs would end the test by this. */
const TIMEOUT_MS = 240_000;

/** What starts a thread or process of the service when a request needs it, by its file. */
const OF_REQUESTS: [file: string, worker: string, request: 'chat' | 'query' | 'analytics'][] = [
  ['extractive.worker.js', 'extractive', 'chat'],
  ...(engine === 'sqlite'
    ? ([
        ['worker-thread.js', 'sqlite-search', 'query'],
        ['sqlite-search.worker.js', 'sqlite-search', 'query'],
        ['sqlite-search.worker.js', 'sqlite-search', 'chat'],
        ['sqlite-reports.worker.js', 'sqlite-reports', 'analytics'],
      ] as const)
    : ([['worker-thread.js', 'extractive', 'chat']] as const)
  ).map(([...row]) => row),
];
/** Files without which documents wait. */
const OF_DOCUMENTS: [file: string, worker: string][] = [
  ['extraction.process.js', 'extraction'],
  ['resource-watch.js', 'extraction'],
  [`${engine}-index.worker.js`, `${engine}-index`],
];

describe('a file of a thread or process that is missing', () => {
  /** Where a copy of the service is built, and a database for it. */
  let directory: string;
  let environment: NodeJS.ProcessEnv;
  let kbId: string;
  let secret: string;
  let service: Service;
  let alice: Client;

  beforeAll(async () => {
    directory = copyOfBuild();
    const first = await Service.start();
    const user = new Client(first, 'alice');
    kbId = (await user.createKnowledgeBase()).id;
    secret = (await user.createApiKey(kbId)).api_key;
    const text = 'Orders may be returned within 30 days.';
    await user.addDocument(kbId, { title: 'Returns', text });
    await first.stop();
    ({ environment } = first);
  });

  beforeEach(async () => {
    const METRICS_PORT = String(await freePort());
    service = await Service.start({ ...environment, METRICS_PORT }, directory);
    alice = new Client(service, 'alice');
  });

  afterEach(async () => {
    for (const file of away.keys()) putBack(file);
    await service.stop();
  });

  /** The files that are away, by their names. */
  const away = new Map<string, string>();
  const takeAway = (file: string) => {
    const path = pathIn(directory, file);
    renameSync(path, `${path}.away`);
    away.set(file, path);
  };
  const putBack = (file: string) => {
    const path = String(away.get(file));
    renameSync(`${path}.away`, path);
    away.delete(file);
  };
  const readiness = () => fetch(`${service.url}/health/ready`);
  const isReady = async () => (await readiness()).ok;
  const document = async (id: string) => (await alice.get<Document>(`/documents/${id}`)).body;

  /** Waits until the service says that a worker stays unable to start. */
  async function untilFailing(worker: string): Promise<void> {
    await eventually(async () => !(await isReady()));
    const answer = await readiness();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    const body = (await answer.json()) as { detail: string };
    expect(body).toMatchObject({ code: 'worker_unavailable', workers: 'failing' });
    expect(body.detail).toContain(worker);
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    const metrics = `http://127.0.0.1:${String(service.environment['METRICS_PORT'])}/metrics`;
    const name = `latchkey_worker_start_failures_total{worker="${worker}"} `;
    const line = (await (await fetch(metrics)).text()).split('\n').find((o) => o.startsWith(name));
    expect(Number(line?.slice(name.length))).toBeGreaterThanOrEqual(3);
  }

  it.each(OF_REQUESTS)(
    '%s (%s): POST or GET %s is 503 at once, and works when the file is back',
    async (file, worker, request) => {
      const ask = (): Promise<Answer<unknown>> => {
        if (request === 'analytics') return alice.get(`/kbs/${kbId}/analytics`);
        const partner = new Client(service);
        return partner[request](secret, 'Within how many days may orders be returned?');
      };
      takeAway(file);
      for (const answer of [...(await atOnce(6, ask)), await ask()]) {
        expect(outcome(answer)).toBe('503 worker_unavailable');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
      await untilFailing(worker);
      expect(outcome(await ask())).toBe('503 worker_unavailable');

      putBack(file);
      await eventually(isReady);
      expect(outcome(await ask())).toBe('200');
    },
    TIMEOUT_MS,
  );

  it.each(OF_DOCUMENTS)(
    '%s (%s): documents wait, and are read when it is back',
    async (file, worker) => {
      takeAway(file);
      const text = `Gift cards are never paid out without ${file}.`;
      const added = await alice.post<Document>(`/kbs/${kbId}/documents`, { title: file, text });
      expect(added.status).toBe(202);
      await untilFailing(worker);
      expect(await document(added.body.id)).toMatchObject({ status: 'pending', attempts: 0 });

      putBack(file);
      await eventually(isReady);
      expect(await alice.readDocument(added.body.id)).toMatchObject({
        status: 'ready',
        attempts: 1,
      });
    },
    TIMEOUT_MS,
  );

  it('fails no document whose reader cannot be loaded', async () => {
    const reader = 'read-markdown.js';
    takeAway(reader);
    const markdown = { title: 'Prices', mime_type: 'text/markdown', text: '# Scarfs\n\n12 each.' };
    const { body } = await alice.post<Document>(`/kbs/${kbId}/documents`, markdown);
    // A process without documents does not show that the reader is there.
    await untilFailing('extraction');
    expect(await document(body.id)).toMatchObject({ status: 'pending', attempts: 0 });

    putBack(reader);
    await eventually(isReady);
    expect(await alice.readDocument(body.id)).toMatchObject({ status: 'ready', attempts: 1 });
  });

  it('fails requests to /mcp, and those after it is back do not fail', async () => {
    const listTools = () =>
      fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      });
    const bundle = readdirSync(join(directory, 'dist/service'));
    const handler = String(bundle.find((file) => /^mcp-handler-\w+\.js$/.test(file)));
    takeAway(handler);
    for (const answer of await atOnce(3, listTools)) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    await untilFailing('mcp');

    putBack(handler);
    await eventually(isReady);
    expect((await listTools()).status).toBe(200);
  });

  it('is reported by the doctor', async () => {
    takeAway('extractive.worker.js');
    await new Client(service).chat(secret, 'Within how many days may orders be returned?');
    await untilFailing('extractive');
    const PORT = new URL(service.url).port;
    const { output } = await runCommand('operations/doctor.command.js', {
      ...service.environment,
      PORT,
    });
    expect(output).toMatch(/^problem {2}The service at \S+ runs, but cannot start .*extractive/m);
  });
});

/** The path of a compiled file of the service or of its libraries, which no other has the name of. */
function pathIn(directory: string, file: string): string {
  for (const folder of ['dist/src', 'dist/service', 'node_modules/@latchkey']) {
    const found = readdirSync(join(directory, folder), { recursive: true, encoding: 'utf8' }).find(
      (path) => basename(path) === file,
    );
    if (found !== undefined) return join(directory, folder, found);
  }
  throw new Error(`${file} is not built`);
}
