import { parentPort, workerData } from 'node:worker_threads';
import { ProgressLimit } from './progress-limit.js';
import {
  DOCUMENT,
  NO_PROGRESS,
  PROGRESS,
  TOO_LARGE,
  type WatchedProcess,
} from './watched-process.js';

/**
 * Ends the process when it uses too much memory, makes no progress with a document, or has lost its
 * parent. It runs in a separate thread, which readers do not block. A heap limit would not suffice, since
 * buffers and WebAssembly are outside the heap.
 */
const INTERVAL_MS = 10;
const { maxBytes, state, limits } = workerData as WatchedProcess;
const parent = process.ppid;
const limit = new ProgressLimit(limits);

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
parentPort?.postMessage('watching');
