/**
 * A question is answered if the confidence is at least this: an answer is then more likely right than wrong.
 * `bench/answers/calibrate.mjs` prints what other thresholds cost. It holds for both database engines, because
 * they find the same passages.
 */
export const DEFAULT_THRESHOLD = 0.5;

/** @param threshold the knowledge base's own, 0 to answer always; null for the default */
export const isConfident = (confidence: number, threshold: number | null): boolean =>
  confidence >= (threshold ?? DEFAULT_THRESHOLD);
