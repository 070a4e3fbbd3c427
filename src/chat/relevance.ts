/**
 * The relevance from which on a question is answered, calibrated so that at most one of ten questions
 * that the documents cannot answer is answered all the same; `npm run bench -- answers` draws the
 * curve. The same on both engines, which find the same passages.
 */
export const CALIBRATED_THRESHOLD = 0.34;

/** @param threshold the knowledge base's own; null for the calibrated one */
export const isRelevant = (relevance: number, threshold: number | null): boolean =>
  relevance > 0 && relevance >= (threshold ?? CALIBRATED_THRESHOLD);
