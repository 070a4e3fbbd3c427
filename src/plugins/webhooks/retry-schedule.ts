const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses after the first failed attempt, the second one, and so on. */
const PAUSES_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  24 * HOUR_MS,
];

/**
 * Computes how long to wait before the next attempt.
 *
 * @param failed the number of failed attempts so far
 * @returns undefined if there is no further attempt
 */
export const retryPauseMs = (failed: number): number | undefined => PAUSES_MS[failed - 1];
