import { byScore } from './bm25.js';
import { FUSION_RANK, WORDS_WEIGHT } from './fusion-weights.js';
import type { Hit } from './rank.js';

/** The score of a passage that is first by words and by vectors, and has all words. */
const HIGHEST = (WORDS_WEIGHT + 1) / (FUSION_RANK + 1);

type RankedHit = Pick<Hit, 'number' | 'fingerprint'>;

/** A hit by words, with the share of the question's weight that it has, 0 to 1. */
export type CoveringHit = RankedHit & { readonly coverage: number };

/**
 * Merges the hits by words and the nearest passages by vectors by reciprocal rank fusion. A hit by words counts
 * less if it has fewer words of the question: a question in another language than the text, or in other words,
 * shares words with it by chance only.
 *
 * While a knowledge base is being embedded, some passages have no vector yet. For a hit without one,
 * its rank by words is also taken as its rank by vector; otherwise it would come behind hits that
 * happened to be embedded first. Ranks by vector are among the embedded passages only; dividing them
 * by the share of embedded passages estimates the ranks among all.
 *
 * @param byWords best first
 * @param byVector nearest first
 * @param isMissing whether a passage has no vector yet
 * @returns hits with scores from 0 to 1
 */
export function fuse(
  byWords: readonly CoveringHit[],
  byVector: readonly RankedHit[],
  isMissing: (number: number) => boolean = () => false,
): Hit[] {
  const fused = new Map<number, Hit>();
  const add = ({ number, fingerprint }: RankedHit, score: number) => {
    const sum = score / HIGHEST + (fused.get(number)?.score ?? 0);
    fused.set(number, { number, fingerprint, score: sum });
  };
  let missing = 0;
  for (const [index, hit] of byWords.entries()) {
    const score = scoreRank(index + 1);
    add(hit, WORDS_WEIGHT * Math.sqrt(hit.coverage) * score);
    if (!isMissing(hit.number)) continue;
    missing++;
    add(hit, score);
  }
  const share = estimateEmbeddedShare(byWords.length, missing);
  for (const [index, hit] of byVector.entries()) add(hit, scoreRank((index + 1) / share));
  return [...fused.values()].sort(byScore);
}

const scoreRank = (rank: number): number => 1 / (FUSION_RANK + rank);

/**
 * The share of passages that have a vector, estimated from the hits with add-one smoothing, so that
 * it is near a half for few hits.
 */
const estimateEmbeddedShare = (hits: number, missing: number): number =>
  missing === 0 ? 1 : (hits - missing + 1) / (hits + 2);
