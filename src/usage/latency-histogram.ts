/**
 * Latencies are counted in buckets, each of which reaches a fifth further than the one before. A percentile
 * is reported as the value within its bucket that has the same relative error at both ends: 1/11, less than
 * 10 %.
 */
const GROWTH = 1.2;

/** The number of answers by bucket. */
export type LatencyHistogram = ReadonlyMap<number, number>;

export const toBucket = (latencyMs: number): number =>
  latencyMs < 1 ? 0 : 1 + Math.floor(Math.log(latencyMs) / Math.log(GROWTH));

/** The latency of a bucket in milliseconds, rounded to a hundredth. */
const toLatency = (bucket: number): number =>
  bucket === 0 ? 0 : Math.round((100 * 2 * GROWTH ** bucket) / (1 + GROWTH)) / 100;

/** @returns the latency that a share of `q` of the answers did not exceed; null without answers */
export function percentile(histogram: LatencyHistogram, q: number): number | null {
  const total = [...histogram.values()].reduce((sum, answers) => sum + answers, 0);
  let sum = 0;
  for (const [bucket, answers] of [...histogram].sort(([a], [b]) => a - b)) {
    sum += answers;
    if (sum >= q * total) return toLatency(bucket);
  }
  return null;
}

/** The form in which a histogram is stored: `17:3,18:1`. */
export const formatHistogram = (histogram: LatencyHistogram): string =>
  [...histogram].map(([bucket, answers]) => `${bucket}:${answers}`).join();

const COLON = ':'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

/**
 * Reads one histogram, or several joined by commas, which are added up. It reads character codes, because
 * `split` takes eight times as long: a report of 90 days over a million messages reads 2 MB.
 */
export function parseHistograms(text: string): Map<number, number> {
  const histogram = new Map<number, number>();
  let bucket = 0;
  let number = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === COLON) {
      bucket = number;
      number = 0;
    } else if (code !== COMMA) {
      number = 10 * number + code - ZERO;
    }
    if (code === COMMA || index === text.length - 1) {
      if (number > 0) histogram.set(bucket, (histogram.get(bucket) ?? 0) + number);
      number = 0;
    }
  }
  return histogram;
}

/** @returns the sum of two histograms */
export function addHistograms(a: LatencyHistogram, b: LatencyHistogram): LatencyHistogram {
  const sum = new Map(a);
  for (const [bucket, answers] of b) sum.set(bucket, (sum.get(bucket) ?? 0) + answers);
  return sum;
}
