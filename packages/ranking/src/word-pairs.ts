import { WordNumbers } from './word-numbers.js';

/** How often each pair of adjacent words occurs. Its key is made of the two 16-bit hashes. */
export type PairCounts = ReadonlyMap<number, number>;

export const NO_PAIRS: PairCounts = new Map();
const toPair = (first: number, second: number): number => first * 0x10000 + second;
const getFirst = (pair: number): number => Math.floor(pair / 0x10000);

/** @param words the hashes of a text's words, in order */
export function countPairs(words: Uint16Array): PairCounts {
  const counts = new Map<number, number>();
  for (let at = 1; at < words.length; at++) {
    const pair = toPair(words[at - 1] ?? 0, words[at] ?? 0);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

/** Counts the pairs of a question in passages. */
export class PairCounter {
  /** The first words of the wanted pairs: most words of a passage are none of them, so skipped. */
  private readonly firsts = new WordNumbers();

  constructor(private readonly wanted: PairCounts) {
    for (const pair of wanted.keys()) this.firsts.add(getFirst(pair));
  }

  /** How often each wanted pair occurs in the words, which are given by their hashes. */
  count(words: Uint16Array): PairCounts {
    const { byHash } = this.firsts;
    let counts: Map<number, number> | undefined;
    for (let at = 1; at < words.length; at++) {
      const first = words[at - 1] ?? 0;
      if (byHash[first] === 0) continue;
      const pair = toPair(first, words[at] ?? 0);
      if (!this.wanted.has(pair)) continue;
      counts ??= new Map<number, number>();
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    return counts ?? NO_PAIRS;
  }
}
