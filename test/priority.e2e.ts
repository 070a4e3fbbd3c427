import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from './support/client.js';
import { Service } from './support/service.js';

const OWN = getPriority();
const LOW = Math.max(OWN, 10);
const LOWER = Math.min(LOW + 5, 19);

/** Only on Linux, each thread has a priority. */
(process.platform === 'linux' ? describe : describe.skip)('extraction', () => {
  let service: Service;

  beforeEach(async () => {
    service = await Service.start();
  });

  afterEach(() => service.stop());

  /** Reads a document, and gives the priorities of the threads that have read it. */
  async function prioritiesOfReaders(): Promise<number[]> {
    const alice = new Client(service, 'alice');
    await alice.addDocument((await alice.createKnowledgeBase()).id, { title: 'One', text: 'One.' });
    return childrenOf(service.pid).flatMap(threadsOf).map(getPriority);
  }

  it('has a lower priority than requests, with all of its threads', async () => {
    const priorities = await prioritiesOfReaders();
    expect(priorities.length).toBeGreaterThan(1);
    expect(new Set(priorities)).toEqual(new Set([LOW]));
    expect(getPriority(service.pid)).toBe(OWN);
  });

  it('keeps the priority of a service that has a lower one', async () => {
    for (const thread of threadsOf(service.pid)) setPriority(thread, LOWER);
    expect(new Set(await prioritiesOfReaders())).toEqual(new Set([LOWER]));
  });
});

const threadsOf = (pid: number) => readdirSync(`/proc/${pid}/task`).map(Number);

const childrenOf = (pid: number) =>
  threadsOf(pid)
    .flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').map(Number),
    )
    .filter((child) => child > 0);
