/**
 * Latencies are counted in buckets, each of which reaches a fifth further than the one before. A
 * percentile is told as the value in a bucket that is off by the same share at either end: 1/11, so
 * by less than 10 %.
 */
const GROWTH = 1.2;

/** How many answers by bucket. */
export type LatencyCounts = ReadonlyMap<number, number>;

export const bucketOf = (latencyMs: number): number =>
  latencyMs < 1 ? 0 : 1 + Math.floor(Math.log(latencyMs) / Math.log(GROWTH));

/** Milliseconds, to a hundredth. */
export const latencyOf = (bucket: number): number =>
  bucket === 0 ? 0 : Math.round((100 * 2 * GROWTH ** bucket) / (1 + GROWTH)) / 100;

/** @returns the latency that a share of `q` of the answers kept to; null where there were none */
export function percentile(counts: LatencyCounts, q: number): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let sum = 0;
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    sum += count;
    if (sum >= q * total) return latencyOf(bucket);
  }
  return null;
}
