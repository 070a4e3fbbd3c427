import { FIELD_SEPARATOR, type Fingerprint } from './fingerprint.js';
import { WordNumbers } from './word-numbers.js';

/** The first hits, which are assumed to be relevant. */
const FEEDBACK_HITS = 10;
/** With fewer hits there is no feedback: no word is clearly more frequent in the best of them. */
const MIN_HITS = 2 * FEEDBACK_HITS;
/** Further hits are neither counted nor scored, so that a search with more hits takes no longer. */
const MAX_HITS = 100;
/** Words with the highest weights in the best hits; all hits are scored by these. */
const FEEDBACK_WORDS = 30;
/** How soon further occurrences of a word count less, as `k1` of BM25, in a text of average length. */
const SATURATION = 1;
/** A word that this share of the hits have, or more, is ignored: it does not distinguish them. */
const MAX_HIT_SHARE = 0.5;

type Words = Uint16Array;

const NO_WORDS: Words = new Uint16Array();

/**
 * Pseudo-relevance feedback: scores hits by how much they contain the words that are typical of the
 * best hits. It reads the words from the fingerprints, so no second search is needed.
 *
 * @param fingerprints of the hits, best first
 * @returns the scores of the first MAX_HITS hits, divided by the highest one; empty for fewer than
 * MIN_HITS hits, and when no word is typical
 */
export function computeFeedback(fingerprints: readonly (Fingerprint | undefined)[]): number[] {
  if (fingerprints.length < MIN_HITS) return [];
  const hits = fingerprints.slice(0, MAX_HITS).map((one) => one?.words ?? NO_WORDS);
  const { numbers, frequencies } = countInBest(hits.slice(0, FEEDBACK_HITS));
  const weights = weighWords(frequencies, countHits(hits, numbers), hits.length);
  const scores = scoreHits(hits, numbers, weights);
  const best = Math.max(...scores);
  return best > 0 ? scores.map((score) => score / best) : [];
}

/**
 * The frequency of each word in the best hits, by the number of the word. Repetitions within a hit
 * count less and less, and a hit counts less the lower it ranks.
 */
function countInBest(best: readonly Words[]): {
  numbers: WordNumbers;
  frequencies: Float64Array;
} {
  const numbers = new WordNumbers();
  const maxSize = best.reduce((sum, { length }) => sum + length, 1);
  const frequencies = new Float64Array(maxSize);
  const counts = new Uint16Array(maxSize);
  for (const [rank, words] of best.entries()) {
    const rankWeight = FEEDBACK_HITS / (FEEDBACK_HITS + rank);
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
      frequencies[number] =
        (frequencies[number] ?? 0) + (rankWeight * count) / (count + SATURATION);
      counts[number] = 0;
    }
  }
  return { numbers, frequencies: frequencies.subarray(0, numbers.size + 1) };
}

/** How many of the hits have each word, by the number of the word. */
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

/** The weights of the FEEDBACK_WORDS most typical words, by their numbers; 0 for the others. */
function weighWords(frequencies: Float64Array, hitCounts: Uint16Array, hits: number): Float64Array {
  const weights = new Float64Array(frequencies.length);
  for (let number = 1; number < weights.length; number++) {
    const count = hitCounts[number] ?? 0;
    if (count < 2 || count >= MAX_HIT_SHARE * hits) continue;
    weights[number] = (frequencies[number] ?? 0) * Math.log(1 + hits / count);
  }
  const threshold = weights.toSorted().at(-FEEDBACK_WORDS) ?? 0;
  for (let number = 1; number < weights.length; number++) {
    if ((weights[number] ?? 0) < threshold) weights[number] = 0;
  }
  return weights;
}

function scoreHits(
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
