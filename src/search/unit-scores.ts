import type { Passage } from './search-index.js';

/**
 * The scores of passages from 0 to 1, for clients that expect them so. The best passage has the share
 * of the question that it covers, the others the same proportion to it as their own scores have.
 */
export function unitScores(passages: readonly Pick<Passage, 'score' | 'coverage'>[]): number[] {
  const [best] = passages;
  if (!best) return [];
  return passages.map(({ score }) => best.coverage * Math.min(1, Math.max(0, score / best.score)));
}
