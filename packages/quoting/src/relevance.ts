/**
 * A question is answered if its relevance is at least this. The weights are fitted so that at this
 * probability about one in seven questions that the documents answer is refused (one in five by words
 * alone); `bench/answers/fit.mjs` measures it. It holds for both database engines, because they find the same passages.
 */
export const CALIBRATED_THRESHOLD = 0.5;

/** @param threshold the knowledge base's own; null for the calibrated one */
export const isRelevant = (relevance: number, threshold: number | null): boolean =>
  relevance > 0 && relevance >= (threshold ?? CALIBRATED_THRESHOLD);
