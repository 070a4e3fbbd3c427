import { byScore } from './bm25.js';
import type { Hit } from './rank.js';

/** The constant `k` of reciprocal rank fusion: a higher one gives the first ranks less weight. */
const FUSION_RANK = 60;

type RankedHit = Pick<Hit, 'number' | 'fingerprint'>;

/**
 * Merges the hits by words and the nearest passages by vectors: reciprocal rank fusion.
 *
 * While a knowledge base is being embedded, some passages have no vector yet. For a hit without one,
 * its rank by words is also taken as its rank by vector; otherwise it would come behind hits that
 * happened to be embedded first. Ranks by vector are among the embedded passages only; dividing them
 * by the share of embedded passages estimates the ranks among all.
 *
 * @param byWords best first
 * @param byVector nearest first
 * @param withoutVector the hits by words that have no vector
 */
export function fuse(
  byWords: readonly RankedHit[],
  byVector: readonly RankedHit[],
  withoutVector: ReadonlySet<number> = new Set(),
): Hit[] {
  const fused = new Map<number, Hit>();
  const add = ({ number, fingerprint }: RankedHit, score: number) => {
    fused.set(number, { number, fingerprint, score: score + (fused.get(number)?.score ?? 0) });
  };
  for (const [index, hit] of byWords.entries()) {
    const lists = withoutVector.has(hit.number) ? 2 : 1;
    add(hit, lists * scoreOf(index + 1));
  }
  const share = embeddedShare(byWords.length, withoutVector.size);
  for (const [index, hit] of byVector.entries()) add(hit, scoreOf((index + 1) / share));
  return [...fused.values()].sort(byScore);
}

const scoreOf = (rank: number): number => 1 / (FUSION_RANK + rank);

/**
 * The share of passages that have a vector, estimated from the hits with add-one smoothing, so that
 * it is near a half for few hits.
 */
const embeddedShare = (hits: number, withoutVector: number): number =>
  withoutVector === 0 ? 1 : (hits - withoutVector + 1) / (hits + 2);
