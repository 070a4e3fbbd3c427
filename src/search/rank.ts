import { byScore } from './bm25.js';
import { type Fingerprint, hashWord } from './fingerprint.js';
import { byHash, weightNearby } from './nearness.js';
import type { QuestionTerm } from './search-index.js';

/** A passage found for a question, with its score. */
export interface Hit {
  readonly number: number;
  readonly score: number;
  /** Undefined for a passage that was indexed by a version without fingerprints. */
  readonly fingerprint: Fingerprint | undefined;
}

const PAIR_WEIGHT = 0.3;
/** How soon further occurrences of a pair stop adding to the score, as `k1` of BM25. */
const SATURATION = 0.6;
/** How much it counts for the order that words of the question are near each other. */
const NEARBY_WEIGHT = 0.5;
/** The constant `k` of reciprocal rank fusion: a higher one gives the first ranks less weight. */
const FUSION_RANK = 60;

/**
 * Adds to the score of each hit for pairs of words that are adjacent in the question and in the
 * passage, more for pairs that fewer of the hits have.
 *
 * @param sequences the question's stems in order, in each language in which it is understood
 * @returns the hits, best first
 */
export function rerank(hits: readonly Hit[], sequences: readonly (readonly string[])[]): Hit[] {
  const wanted = new Map(
    sequences.flatMap((terms) => [...countPairs(Uint16Array.from(terms, hashWord))]),
  );
  // Most words of a passage begin no pair of the question; an array lookup is faster than a map.
  const beginsPair = new Uint8Array(0x10000);
  for (const pair of wanted.keys()) beginsPair[Math.floor(pair / 0x10000)] = 1;

  const found = hits.map(({ fingerprint }) =>
    wanted.size > 0 && fingerprint
      ? countPairs(fingerprint.words, (first, pair) => beginsPair[first] === 1 && wanted.has(pair))
      : new Map<number, number>(),
  );
  const hitsWithPair = new Map<number, number>();
  for (const pair of found.flatMap((counts) => [...counts.keys()])) {
    hitsWithPair.set(pair, (hitsWithPair.get(pair) ?? 0) + 1);
  }
  return hits
    .map((hit, index) => {
      let bonus = 0;
      for (const [pair, count] of found[index] ?? []) {
        const rarity = Math.log(1 + hits.length / (hitsWithPair.get(pair) ?? 1));
        const frequency = (count * (SATURATION + 1)) / (count + SATURATION);
        bonus += (wanted.get(pair) ?? 0) * rarity * frequency;
      }
      return { ...hit, score: hit.score + PAIR_WEIGHT * bonus };
    })
    .sort(byScore);
}

/**
 * Puts hits first whose words of the question are near each other. A hit that moves gets the score of
 * its new place, so that scores descend and stay on the scale of `minScore`.
 *
 * @param hits best first
 */
export function orderByNearness(hits: readonly Hit[], terms: readonly QuestionTerm[]): Hit[] {
  const termsByHash = byHash(terms);
  return hits
    .map((hit) => {
      const nearby = hit.fingerprint ? weightNearby(hit.fingerprint, termsByHash) : 0;
      return { hit, number: hit.number, score: hit.score + NEARBY_WEIGHT * nearby };
    })
    .sort(byScore)
    .map(({ hit }, place) => ({ ...hit, score: hits[place]?.score ?? hit.score }));
}

/** Merges ranked lists by reciprocal rank fusion. */
export function fuse(...lists: readonly (readonly Pick<Hit, 'number' | 'fingerprint'>[])[]): Hit[] {
  const fused = new Map<number, Hit>();
  for (const list of lists) {
    for (const [rank, { number, fingerprint }] of list.entries()) {
      const score = (fused.get(number)?.score ?? 0) + 1 / (FUSION_RANK + rank + 1);
      fused.set(number, { number, fingerprint, score });
    }
  }
  return [...fused.values()].sort(byScore);
}

/** Counts pairs of adjacent words. A pair is one number, made of two hashes of 16 bits. */
function countPairs(
  words: Uint16Array,
  isCounted: (first: number, pair: number) => boolean = () => true,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (let index = 1; index < words.length; index++) {
    const first = words[index - 1] ?? 0;
    const pair = first * 0x10000 + (words[index] ?? 0);
    if (isCounted(first, pair)) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}
