/**
 * A question is answered if its relevance is at least this. Calibrated so that at most one in ten
 * questions that the documents cannot answer is answered anyway; `npm run bench -- answers` measures it.
 * It holds for both database engines, because they find the same passages.
 */
export const CALIBRATED_THRESHOLD = 0.35;

/** @param threshold the knowledge base's own; null for the calibrated one */
export const isRelevant = (relevance: number, threshold: number | null): boolean =>
  relevance > 0 && relevance >= (threshold ?? CALIBRATED_THRESHOLD);
