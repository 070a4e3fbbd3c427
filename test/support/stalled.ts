/**
 * What takes this long has stalled: far above what a busy machine adds to what is in time. How long
 * it takes is printed, and measured by the benchmarks.
 */
export const STALLED_MS = 15_000;
