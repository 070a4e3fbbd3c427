import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** How far background work steps back, from -20 to 19; at 10 it has a tenth of the share of a request. */
const NICENESS = 10;

/** Lowers the priority of this process, so that it does not slow down requests. */
export function lowerPriorityOfProcess(): void {
  // Linux has a priority for each thread, and V8 has started some before.
  const threads = isLinux ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) setPriority(thread, NICENESS);
}

/** Lowers the priority of the calling thread, where threads have one. */
export function lowerPriorityOfThread(): void {
  if (isLinux) setPriority(NICENESS);
}

const isLinux = process.platform === 'linux';
