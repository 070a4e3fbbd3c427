import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * The nice value of background work, from -20 to 19. At 10, Linux gives it about a tenth of the CPU
 * time that it gives a request.
 */
const NICENESS = 10;

/** Lowers the priority of this process, so that it does not slow down requests. */
export function lowerPriorityOfProcess(): void {
  // On Linux each thread has its own priority, and threads of V8 are already running.
  const threads = isLinux ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) lowerPriority(thread);
}

/** Lowers the priority of the calling thread; only on Linux, as elsewhere all threads share one. */
export function lowerPriorityOfThread(): void {
  if (isLinux) lowerPriority(CALLING_THREAD);
}

const isLinux = process.platform === 'linux';
const CALLING_THREAD = 0;

function lowerPriority(thread: number): void {
  try {
    // The service may already run at a lower priority, which it is not allowed to raise.
    if (getPriority(thread) < NICENESS) setPriority(thread, NICENESS);
  } catch {
    // The thread has ended, or the system does not allow it: work goes on with the priority it has.
  }
}
