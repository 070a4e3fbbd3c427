import type { ProgressLimits } from './progress-limit.js';

/** The input of the thread that watches a process. */
export interface WatchedProcess {
  readonly maxBytes: number;
  readonly limits: ProgressLimits;
  /** Shared memory, with the numbers below. */
  readonly state: Int32Array;
}

/** The place of the number of the document that is read; 0 between documents. */
export const DOCUMENT = 0;
/** The place of the number of pages or parts that were read. */
export const PROGRESS = 1;

/** Signals that end the process, since nobody handles them, and tell the parent why. */
export const TOO_LARGE = 'SIGUSR2';
export const NO_PROGRESS = 'SIGALRM';

/** The exit code of a process that lacks one of its own files. */
export const NOT_INSTALLED = 70;
