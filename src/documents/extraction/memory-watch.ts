import { workerData } from 'node:worker_threads';

/**
 * Runs beside the extraction, in a thread of its own that no parser can hold up, and ends the
 * process that has grown too large or has lost its parent. A limit of the heap alone would not do:
 * what is inflated lies outside it.
 */
const INTERVAL_MS = 10;
const { maxBytes } = workerData as { maxBytes: number };
const parent = process.ppid;

/** Ends the process as surely as SIGKILL, since nobody handles it, and tells the parent why. */
const TOO_LARGE = 'SIGUSR2';

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, TOO_LARGE);
}, INTERVAL_MS);
