import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { lowerPriorityOfProcess } from './lower-priority.js';
import type { ProgressLimits } from './progress-limit.js';
import { DOCUMENT, PROGRESS, type WatchedProcess } from './watched-process.js';

/** Reports the state of a process that reads documents to the thread that watches it. */
interface ProcessWatch {
  /** Resolves when the watch has started. */
  readonly ready: Promise<unknown>;
  /** Called before a document, or a page of one, is read. */
  readonly begin: () => void;
  /** Called after a page or part was read. */
  readonly progress: () => void;
  readonly end: () => void;
}

/**
 * Sets up this process, which a parent has started by `fork` to read documents: it gets a low priority,
 * ends with its parent, and is watched by a thread that ends it when it exceeds a limit.
 */
export function watchProcess(maxBytes: number, limits: ProgressLimits): ProcessWatch {
  lowerPriorityOfProcess();
  /** Shared with the thread that watches. */
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const watch = new Worker(new URL('./resource-watch.js', import.meta.url), {
    workerData: { maxBytes, state, limits } satisfies WatchedProcess,
  });
  // A terminal or a service manager signals all processes; only the parent should react.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  // The parent may have died before the listener was added.
  if (!process.connected) process.exit();
  let documents = 0;
  return {
    ready: once(watch, 'message'),
    begin: () => {
      Atomics.store(state, DOCUMENT, ++documents);
    },
    progress: () => {
      Atomics.add(state, PROGRESS, 1);
    },
    end: () => {
      Atomics.store(state, DOCUMENT, 0);
    },
  };
}

/** Whether a file of this program is missing, so that the document is not to blame. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ENOENT'].includes(String(error.code));
