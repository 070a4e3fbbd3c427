import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Client, type Document, outcome } from '../support/client.js';
import { uploadFile } from '../support/files.js';
import { pageOf, pdf } from '../support/pdf.mjs';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';
import { tool } from '../support/requirement.js';

/** The signal by which a process of extraction ends itself when it uses too much memory. */
const TOO_LARGE = 'SIGUSR2';
const OWN = getPriority();
const LOW = Math.max(OWN, 10);
const LOWER = Math.min(LOW + 5, 19);

/** Only Linux lists processes in /proc, and gives each thread a priority of its own. */
const proc = tool('/proc', existsSync('/proc/self/task'));

const isolation = tool(
  'networks of their own for processes',
  spawnSync('unshare', ['-rn', 'true']).status === 0,
);

proc.describe('extraction', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start();
  });

  // Each test has new readers.
  beforeEach(() =>
    eventually(() => {
      signalReaders('SIGKILL');
      return childrenOf(service.pid).length === 0;
    }),
  );

  afterAll(() => service.stop());

  function signalReaders(signal: NodeJS.Signals): void {
    for (const reader of childrenOf(service.pid)) {
      try {
        process.kill(reader, signal);
      } catch {
        // It has ended since.
      }
    }
  }

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

  isolation.it('reaches no network', async () => {
    await prioritiesOfReaders();
    const [reader = 0] = childrenOf(service.pid);
    const networkOf = (pid: number) => readlinkSync(`/proc/${pid}/ns/net`);
    expect(networkOf(reader)).not.toBe(networkOf(service.pid));
  });

  it('answers 503, not an error of the document, if it gets no time to show a page', async () => {
    const alice = new Client(service, 'alice');
    const { id: kbId } = await alice.createKnowledgeBase();
    const file = { name: 'one.pdf', bytes: pdf([pageOf(['Customers return orders.'])]) };
    const { id } = (await uploadFile(alice, kbId, file)).body as Document;
    expect(await alice.readDocument(id)).toMatchObject({ status: 'ready' });
    // As on a machine that has no time for it: the idle one, and any that is started.
    const stopReaders = () => {
      signalReaders('SIGSTOP');
    };
    stopReaders();
    const timer = setInterval(stopReaders, 5);
    try {
      const answer = await alice.get(`/documents/${id}/original?page=1`);
      expect(outcome(answer)).toBe('503 worker_unavailable');
      expect(answer.headers.get('retry-after')).toBe('1');
    } finally {
      clearInterval(timer);
    }
  });

  it('reads many documents in a process', async () => {
    const alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    const readers = new Set<number>();
    for (let edition = 0; edition < 12; edition++) {
      const text = manual(edition);
      await alice.addDocument(id, { title: 'Manual', mime_type: 'text/markdown', text });
      for (const reader of childrenOf(service.pid)) readers.add(reader);
    }
    expect(readers.size).toBeGreaterThan(0);
    expect(readers.size).toBeLessThanOrEqual(2);
  });

  it('reads a document again if a process that has read others runs out of memory', async () => {
    const alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    await alice.addDocument(id, { title: 'One', text: 'One.' });
    const [used = 0] = childrenOf(service.pid);
    const long = { title: 'All', mime_type: 'text/markdown', text: manuals(6) };
    const busyFrom = cpuTicks(used) + 10;
    const { body } = await alice.post<Document>(`/kbs/${id}/documents`, long);
    await eventually(() => Promise.resolve(cpuTicks(used) > busyFrom));
    process.kill(used, TOO_LARGE);
    expect(await alice.readDocument(body.id)).toMatchObject({ status: 'ready', attempts: 1 });

    const [fresh = 0] = childrenOf(service.pid);
    expect(fresh).not.toBe(used);
  });

  it('does not read a document again if it is too large for a new process', async () => {
    const alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    const long = { title: 'All', mime_type: 'text/markdown', text: manuals(6) };
    const added = alice.post<Document>(`/kbs/${id}/documents`, long);
    const stalled = AbortSignal.timeout(STALLED_MS);
    // If possible, before it has received the document, which must count as too large then, too.
    while (!stalled.aborted && readersOf(service.pid).length === 0) await setImmediate();
    for (const reader of readersOf(service.pid)) process.kill(reader, TOO_LARGE);
    const { body } = await added;
    expect(await alice.readDocument(body.id)).toMatchObject({
      status: 'failed',
      error: { code: 'too_large' },
    });
  });

  // The last one, since the service keeps that priority.
  it('keeps the priority of a service that has a lower one', async () => {
    for (const thread of threadsOf(service.pid)) setPriority(thread, LOWER);
    expect(new Set(await prioritiesOfReaders())).toEqual(new Set([LOWER]));
  });
});

/** A text of several hundred passages, all different. */
const manual = (edition: number) =>
  Array.from({ length: 300 }, (_, n) => `## Part ${n}\n\n${paragraph(edition, n)}`).join('\n\n');

const manuals = (count: number) =>
  Array.from({ length: count }, (_, edition) => manual(edition)).join('\n\n');

const paragraph = (edition: number, part: number) =>
  Array.from({ length: 12 }, (_, n) => `Edition ${edition} has rule ${n} of part ${part}.`).join(
    ' ',
  );

/** The CPU time of a process, in hundredths of a second. */
function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Behind the name, in brackets: user time is the 12th field, system time the 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

const threadsOf = (pid: number) => readdirSync(`/proc/${pid}/task`).map(Number);

/** Empty once it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** The children that have become readers: at first a child is a copy of the service, then `unshare`. */
const readersOf = (pid: number) =>
  childrenOf(pid).filter((child) => {
    const command = commandOf(child);
    return command.includes('--max-old-space-size') && !command.includes('unshare');
  });

const childrenOf = (pid: number) =>
  threadsOf(pid)
    .flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').map(Number),
    )
    .filter((child) => child > 0);
