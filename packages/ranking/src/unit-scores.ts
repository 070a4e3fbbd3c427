import type { FoundPassage } from './search-index.js';

/**
 * The scores of passages from 0 to 1, for clients that expect them so. The best passage has the root
 * of the share of the question that it covers, so that one that answers the question is above 0.5; the
 * others have the same proportion to it as their own scores have.
 */
export function toUnitScores(
  passages: readonly Pick<FoundPassage, 'score' | 'coverage'>[],
): number[] {
  const [best] = passages;
  if (!best) return [];
  const highest = Math.sqrt(best.coverage);
  return passages.map(({ score }) => highest * Math.min(1, Math.max(0, score / best.score)));
}
