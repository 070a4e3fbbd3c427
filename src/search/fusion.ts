import { byScore } from './bm25.js';
import type { Hit } from './rank.js';

/** The constant `k` of reciprocal rank fusion: a higher one gives the first ranks less weight. */
const FUSION_RANK = 60;

type RankedHit = Pick<Hit, 'number' | 'fingerprint'>;

/**
 * Merges hits by words and passages by vectors: reciprocal rank fusion.
 *
 * While passages are embedded, some have no vector yet. Such a hit counts as if its vector had the rank
 * that its words have, so that it is not behind those that happened to be embedded first. The nearest
 * of the other passages are only the nearest of a part, so their ranks are divided by its share.
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

/** The share of passages that have a vector, by those of the hits; of few hits an estimate near half. */
const embeddedShare = (hits: number, withoutVector: number): number =>
  withoutVector === 0 ? 1 : (hits - withoutVector + 1) / (hits + 2);
