import { workerData } from 'node:worker_threads';

/**
 * Ends the process when it uses too much memory or has lost its parent. It runs in a thread of its
 * own, which no parser blocks. A limit of the heap is not enough, since buffers are outside it.
 */
const INTERVAL_MS = 10;
const { maxBytes } = workerData as { maxBytes: number };
const parent = process.ppid;

/** Ends the process, since nobody handles it, and tells the parent why. */
const TOO_LARGE = 'SIGUSR2';

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, TOO_LARGE);
}, INTERVAL_MS);
