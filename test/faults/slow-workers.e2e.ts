import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { copyOfBuild } from '../support/build-copy.js';
import { Client, outcome } from '../support/client.js';
import { onlyOn } from '../support/requirement.js';
import { eventually, Service } from '../support/service.js';

/** The process stands still for longer than a start may take, as when a host is suspended. */
const STOPPED_MS = 17_000;
const QUESTION = 'Within how many days may orders be returned?';

onlyOn('sqlite').describe('a search thread that starts slowly', () => {
  let directory: string;
  let environment: NodeJS.ProcessEnv;
  let secret: string;
  let service: Service;
  /** While this file exists, no search thread of the copied build is loaded. */
  let gate: string;

  beforeAll(async () => {
    directory = copyOfBuild();
    gate = join(directory, 'gate');
    const worker = join(directory, 'dist/src/documents/search/sqlite/sqlite-search.worker.js');
    const waiting = `import { existsSync } from 'node:fs';
while (existsSync(${JSON.stringify(gate)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
`;
    writeFileSync(worker, waiting + readFileSync(worker, 'utf8'));
    const first = await Service.start();
    const alice = new Client(first, 'alice');
    const { id } = await alice.createKnowledgeBase();
    secret = (await alice.createApiKey(id)).api_key;
    const text = 'Orders may be returned within 30 days.';
    await alice.addDocument(id, { title: 'Returns', text });
    await first.stop();
    ({ environment } = first);
    writeFileSync(gate, '');
    service = await Service.start(environment, directory);
  });

  afterAll(async () => {
    rmSync(gate, { force: true });
    await service.stop();
  });

  const ready = async () => {
    const answer = await fetch(`${service.url}/health/ready`);
    return { ...((await answer.json()) as object), status: answer.status };
  };

  it('is waited for, not given up while the process stands still, and search says that it is starting', async () => {
    const client = new Client(service);
    const refused = await client.chat(secret, QUESTION);
    expect(outcome(refused)).toBe('503 worker_unavailable');
    expect(refused.body).toMatchObject({
      detail: 'Search is starting. Try again in a few seconds.',
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await ready()).toMatchObject({ status: 503, workers: 'starting' });

    const questions = [client.chat(secret, QUESTION), client.query(secret, QUESTION)];
    process.kill(service.pid, 'SIGSTOP');
    await pause(STOPPED_MS);
    process.kill(service.pid, 'SIGCONT');
    rmSync(gate);
    expect((await Promise.all(questions)).map(outcome)).toEqual(['200', '200']);
    await eventually(async () => (await ready()).status === 200);
    expect(outcome(await client.chat(secret, QUESTION))).toBe('200');
  });
});
