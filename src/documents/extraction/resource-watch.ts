import { workerData } from 'node:worker_threads';
import { ProgressLimit } from './progress-limit.js';

/**
 * Ends the process when it uses too much memory, gets no further with a document, or has lost its
 * parent. It runs in a thread of its own, which no reader blocks. A limit of the heap is not enough,
 * since buffers and WebAssembly are outside it.
 */
export interface WatchedProcess {
  readonly maxBytes: number;
  /** The number of the document that is read, 0 between documents, and its pages or parts so far. */
  readonly state: Int32Array;
}

/** Places in the state. */
export const DOCUMENT = 0;
export const PROGRESS = 1;

/** Signals that end the process, since nobody handles them, and tell the parent why. */
export const TOO_LARGE = 'SIGUSR2';
export const NO_PROGRESS = 'SIGALRM';

const INTERVAL_MS = 10;

function watch({ maxBytes, state }: WatchedProcess): void {
  const parent = process.ppid;
  const limit = new ProgressLimit();
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, TOO_LARGE);
    const { user, system } = process.cpuUsage();
    const isExceeded = limit.isExceeded({
      document: Atomics.load(state, DOCUMENT),
      progress: Atomics.load(state, PROGRESS),
      cpuMs: (user + system) / 1000,
      wallMs: performance.now(),
    });
    if (isExceeded) process.kill(process.pid, NO_PROGRESS);
  }, INTERVAL_MS);
}

if (workerData) watch(workerData as WatchedProcess);
