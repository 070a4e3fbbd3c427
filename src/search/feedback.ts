import { FIELD_SEPARATOR, type Fingerprint } from './fingerprint.js';
import { WordNumbers } from './word-numbers.js';

/** Hits that are taken for relevant. */
const FEEDBACK_HITS = 10;
/** Among fewer hits, how many have a word says nothing about it. */
const MIN_HITS = 2 * FEEDBACK_HITS;
/** Further hits neither count nor get a share, so that a wider search takes no longer. */
const MAX_HITS = 100;
/** Words that the best hits are described by. */
const FEEDBACK_WORDS = 30;
/** How soon further occurrences of a word count less, as `k1` of BM25, in a text of average length. */
const SATURATION = 1;
/** A word that more of the hits have tells none of them from the others. */
const MAX_SHARE = 0.5;

type Words = Uint16Array;

const NO_WORDS: Words = new Uint16Array();

/**
 * How much each of the hits is about what the best of them are about: pseudo-relevance feedback, with
 * the words of fingerprints instead of a second search.
 *
 * @param fingerprints of the hits, best first
 * @returns for each of the first hits 0 to 1, the highest 1; nothing for too few hits
 */
export function feedbackOf(fingerprints: readonly (Fingerprint | undefined)[]): number[] {
  if (fingerprints.length < MIN_HITS) return [];
  const hits = fingerprints.slice(0, MAX_HITS).map((one) => one?.words ?? NO_WORDS);
  const { numbers, shares } = sharesOf(hits.slice(0, FEEDBACK_HITS));
  const weights = weigh(shares, countHits(hits, numbers), hits.length);
  const scores = scoresOf(hits, numbers, weights);
  const best = Math.max(...scores);
  return best > 0 ? scores.map((score) => score / best) : [];
}

/** How much of the best hits each of their words is, by its number. */
function sharesOf(best: readonly Words[]): { numbers: WordNumbers; shares: Float64Array } {
  const numbers = new WordNumbers();
  const most = best.reduce((sum, { length }) => sum + length, 1);
  const shares = new Float64Array(most);
  const counts = new Uint16Array(most);
  for (const [rank, words] of best.entries()) {
    const trust = FEEDBACK_HITS / (FEEDBACK_HITS + rank);
    const found: number[] = [];
    for (let at = 0; at < words.length; at++) {
      const word = words[at] ?? 0;
      if (word === FIELD_SEPARATOR) continue;
      const number = numbers.add(word);
      const count = counts[number] ?? 0;
      if (count === 0) found.push(number);
      counts[number] = count + 1;
    }
    for (const number of found) {
      const count = counts[number] ?? 0;
      shares[number] = (shares[number] ?? 0) + (trust * count) / (count + SATURATION);
      counts[number] = 0;
    }
  }
  return { numbers, shares: shares.subarray(0, numbers.size + 1) };
}

/** How many of the hits have each word, by its number. */
function countHits(hits: readonly Words[], { byHash, size }: WordNumbers): Uint16Array {
  const counts = new Uint16Array(size + 1);
  const lastHit = new Uint16Array(size + 1);
  for (const [index, words] of hits.entries()) {
    for (let at = 0; at < words.length; at++) {
      const number = byHash[words[at] ?? 0] ?? 0;
      if (number === 0 || lastHit[number] === index + 1) continue;
      lastHit[number] = index + 1;
      counts[number] = (counts[number] ?? 0) + 1;
    }
  }
  return counts;
}

/** The weights of the words that describe the best hits, by their numbers; 0 for the others. */
function weigh(shares: Float64Array, counts: Uint16Array, hits: number): Float64Array {
  const weights = new Float64Array(shares.length);
  for (let number = 1; number < weights.length; number++) {
    const count = counts[number] ?? 0;
    if (count < 2 || count >= MAX_SHARE * hits) continue;
    weights[number] = (shares[number] ?? 0) * Math.log(1 + hits / count);
  }
  const least = weights.toSorted().at(-FEEDBACK_WORDS) ?? 0;
  for (let number = 1; number < weights.length; number++) {
    if ((weights[number] ?? 0) < least) weights[number] = 0;
  }
  return weights;
}

function scoresOf(
  hits: readonly Words[],
  { byHash }: WordNumbers,
  weights: Float64Array,
): number[] {
  const average = hits.reduce((sum, { length }) => sum + length, 0) / hits.length;
  const counts = new Uint16Array(weights.length);
  const found: number[] = [];
  return hits.map((words) => {
    for (let at = 0; at < words.length; at++) {
      const number = byHash[words[at] ?? 0] ?? 0;
      if ((weights[number] ?? 0) === 0) continue;
      const count = counts[number] ?? 0;
      if (count === 0) found.push(number);
      counts[number] = count + 1;
    }
    const saturation = SATURATION * (0.5 + (0.5 * words.length) / average);
    let score = 0;
    for (const number of found) {
      const count = counts[number] ?? 0;
      score += ((weights[number] ?? 0) * count) / (count + saturation);
      counts[number] = 0;
    }
    found.length = 0;
    return score;
  });
}
