import { type Fingerprint, hashWord } from './fingerprint.js';

/** A passage with some of the question's words. */
export interface Hit {
  readonly number: number;
  readonly score: number;
  /** Undefined where the index does not have them yet. */
  readonly fingerprint: Fingerprint | undefined;
}

const PAIR_WEIGHT = 0.4;
const SATURATION = 1.2;
/** The higher, the less the first ranks stand out. */
const FUSION_RANK = 60;

/**
 * Adds to the scores what it tells that words of the question stand side by side in a passage too,
 * the more the fewer of the hits have them so; best first.
 *
 * @param terms the question's stems, in order
 */
export function rerank(hits: readonly Hit[], terms: readonly string[]): Hit[] {
  const pairs = pairsOf(terms.map(hashWord));
  // Most words begin no pair, which a bit tells faster than a map.
  const isFirst = new Uint8Array(0x10000);
  for (const pair of pairs.keys()) isFirst[Math.floor(pair / 0x10000)] = 1;
  const counts = hits.map(({ fingerprint }) => countPairs(fingerprint?.words, pairs, isFirst));
  const having = new Map<number, number>();
  for (const pair of counts.flatMap((count) => [...count.keys()])) {
    having.set(pair, (having.get(pair) ?? 0) + 1);
  }
  return hits
    .map((hit, index) => {
      let bonus = 0;
      for (const [pair, count] of counts[index] ?? []) {
        const rarity = Math.log(1 + hits.length / (having.get(pair) ?? 1));
        const frequency = (count * (SATURATION + 1)) / (count + SATURATION);
        bonus += (pairs.get(pair) ?? 0) * rarity * frequency;
      }
      return { ...hit, score: hit.score + PAIR_WEIGHT * bonus };
    })
    .sort(inOrder);
}

/** Reciprocal rank fusion: what several lists have high up comes first. */
export function fuse(...lists: readonly (readonly Pick<Hit, 'number' | 'fingerprint'>[])[]): Hit[] {
  const fused = new Map<number, Hit>();
  for (const list of lists) {
    for (const [rank, { number, fingerprint }] of list.entries()) {
      const score = (fused.get(number)?.score ?? 0) + 1 / (FUSION_RANK + rank + 1);
      fused.set(number, { number, fingerprint, score });
    }
  }
  return [...fused.values()].sort(inOrder);
}

const inOrder = (one: Hit, other: Hit): number =>
  other.score - one.score || one.number - other.number;

/** How often one word follows the other; two hashes of 16 bits make one number. */
function pairsOf(words: number[]): Map<number, number> {
  const pairs = new Map<number, number>();
  for (const [index, second] of words.slice(1).entries()) {
    const pair = pairOf(words[index] ?? 0, second);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function countPairs(
  words: Uint16Array | undefined,
  pairs: Map<number, number>,
  isFirst: Uint8Array,
): Map<number, number> {
  const counts = new Map<number, number>();
  if (!words || pairs.size === 0) return counts;
  for (let index = 1; index < words.length; index++) {
    const before = words[index - 1] ?? 0;
    if (!isFirst[before]) continue;
    const pair = pairOf(before, words[index] ?? 0);
    if (pairs.has(pair)) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

const pairOf = (one: number, other: number): number => one * 0x10000 + other;
