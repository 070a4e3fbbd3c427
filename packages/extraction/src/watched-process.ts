import type { ProgressLimits } from './progress-limit.js';

/** The input of the thread that watches a process. */
export interface WatchedProcess {
  readonly maxBytes: number;
  readonly limits: ProgressLimits;
  /** Shared memory, with the numbers below. */
  readonly state: Int32Array;
}

/** The index of the number of the current document; 0 between documents. */
export const DOCUMENT = 0;
/** The index of the number of pages or parts read. */
export const PROGRESS = 1;

/** Unhandled signals that end the process and tell the parent the reason. */
export const TOO_LARGE = 'SIGUSR2';
export const NO_PROGRESS = 'SIGALRM';

/** The exit code of a process that is missing one of its own files. */
export const NOT_INSTALLED = 70;
