import { withScoresOfPlaces } from './merge-results.js';
import type { FoundPassage } from './search-index.js';

/**
 * What remains of a passage's score for each better one of its document. A lower value puts passages of other
 * documents first that say nothing of the question; see docs/decisions/ranking.md.
 */
const REMAINING = 0.9;
/** How many passages are chosen from; the same for fewer results, which are then the first of more. */
export const CHOSEN_FROM = 30;

/**
 * Chooses passages so that the first ones are of different documents where scores allow: each next one is the
 * best after a reduction for those of its document before it. So the best passage of a document is never behind
 * another one of it. A passage that moves gets the score of its new place.
 *
 * @param passages best first
 */
export function diversify(passages: readonly FoundPassage[], limit: number): FoundPassage[] {
  const left = [...passages];
  const reductions = new Map<string, number>();
  const computeReduced = ({ documentId, score }: FoundPassage) =>
    score * (reductions.get(documentId) ?? 1);
  const chosen: FoundPassage[] = [];
  while (chosen.length < limit && left.length > 0) {
    const best = left.reduce((one, other) =>
      computeReduced(other) > computeReduced(one) ? other : one,
    );
    left.splice(left.indexOf(best), 1);
    chosen.push(best);
    reductions.set(best.documentId, (reductions.get(best.documentId) ?? 1) * REMAINING);
  }
  return withScoresOfPlaces(chosen);
}
