import { type Codes, wordCode, wordsOfText } from './word-codes.js';

/** A passage with some of the question's words. */
export interface Hit {
  readonly number: number;
  readonly score: number;
  /** Undefined where the index does not have them yet. */
  readonly codes: Codes | undefined;
}

const PAIR_WEIGHT = 0.4;
const SATURATION = 1.2;
/** The higher, the less the first ranks stand out. */
const FUSION_RANK = 60;
/** Of all runs of three words in either of two texts, the part that they share when alike. */
const ALIKE = 0.9;
/** Of shorter texts one word makes another passage. */
const LONG_TEXT = 20;

/**
 * Adds to the scores what it tells that words of the question stand side by side in a passage too,
 * the more the fewer of the hits have them so; best first.
 *
 * @param terms the question's stems, in order
 */
export function rerank(hits: readonly Hit[], terms: readonly string[]): Hit[] {
  const pairs = pairsOf(terms.map(wordCode));
  // Most words begin no pair, which a bit tells faster than a map.
  const isFirst = new Uint8Array(0x10000);
  for (const pair of pairs.keys()) isFirst[Math.floor(pair / 0x10000)] = 1;
  const counts = hits.map(({ codes }) => countPairs(codes?.words, pairs, isFirst));
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
export function fuse(...lists: readonly (readonly Pick<Hit, 'number' | 'codes'>[])[]): Hit[] {
  const fused = new Map<number, Hit>();
  for (const list of lists) {
    for (const [rank, { number, codes }] of list.entries()) {
      const score = (fused.get(number)?.score ?? 0) + 1 / (FUSION_RANK + rank + 1);
      fused.set(number, { number, codes, score });
    }
  }
  return [...fused.values()].sort(inOrder);
}

const inOrder = (one: Hit, other: Hit): number =>
  other.score - one.score || one.number - other.number;

/** Tells apart the hits of one question, which may be chosen from several times. */
export class Distinction {
  private readonly texts = new Map<number, Text>();

  /** The first `limit` hits, without those whose text is, nearly, that of one before. */
  choose(hits: readonly Hit[], limit: number): Hit[] {
    const chosen: Hit[] = [];
    const texts: Text[] = [];
    const wholes = new Set<number>();
    for (const hit of hits) {
      if (chosen.length === limit) break;
      if (hit.codes) {
        if (wholes.has(hit.codes.text)) continue;
        const text = this.textOf(hit.number, hit.codes);
        if (texts.some((other) => areAlike(text, other))) continue;
        texts.push(text);
        wholes.add(hit.codes.text);
      }
      chosen.push(hit);
    }
    return chosen;
  }

  private textOf(number: number, codes: Codes): Text {
    const known = this.texts.get(number);
    if (known) return known;
    const text = runsOf(wordsOfText(codes));
    this.texts.set(number, text);
    return text;
  }
}

/** The runs of three words in it; none of a short text, which is compared as a whole only. */
type Text = ReadonlySet<number>;

/** How often one follows the other; two codes of 16 bits make one number. */
function pairsOf(codes: number[]): Map<number, number> {
  const pairs = new Map<number, number>();
  for (const [index, code] of codes.slice(1).entries()) {
    const pair = pairOf(codes[index] ?? 0, code);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function countPairs(
  codes: Uint16Array | undefined,
  pairs: Map<number, number>,
  isFirst: Uint8Array,
): Map<number, number> {
  const counts = new Map<number, number>();
  if (!codes || pairs.size === 0) return counts;
  for (let index = 1; index < codes.length; index++) {
    const before = codes[index - 1] ?? 0;
    if (!isFirst[before]) continue;
    const pair = pairOf(before, codes[index] ?? 0);
    if (pairs.has(pair)) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

const pairOf = (one: number, other: number): number => one * 0x10000 + other;

function runsOf(words: Uint16Array): Text {
  const runs = new Set<number>();
  if (words.length < LONG_TEXT) return runs;
  for (let end = 2; end < words.length; end++) {
    runs.add(pairOf(words[end - 2] ?? 0, words[end - 1] ?? 0) * 0x10000 + (words[end] ?? 0));
  }
  return runs;
}

function areAlike(one: Text, other: Text): boolean {
  const [fewer, more] = one.size < other.size ? [one, other] : [other, one];
  // What both share, of all that either has, is at least ALIKE when so many of the fewer are shared.
  const needed = (ALIKE * (fewer.size + more.size)) / (1 + ALIKE);
  let possible = fewer.size;
  if (possible === 0 || possible < needed) return false;
  for (const run of fewer) {
    if (!more.has(run) && --possible < needed) return false;
  }
  return true;
}
