/**
 * A question is answered if the confidence is at least this. It is chosen where few near misses are answered,
 * questions that resemble what the documents say without being answered by it; `bench/answers/fit.mjs` prints
 * the curve. It holds for both database engines, because they find the same passages.
 */
export const DEFAULT_THRESHOLD = 0.5;

/** An answer below this is shown with a warning: it may not be what was asked. */
const SURE = 0.6;

/** @param confidence null for an answer that has none, since nothing was found */
export const isSure = (confidence: number | null): boolean => (confidence ?? 0) >= SURE;

/** @param threshold the knowledge base's own; null for the default */
export const isConfident = (confidence: number, threshold: number | null): boolean =>
  confidence > 0 && confidence >= (threshold ?? DEFAULT_THRESHOLD);
