import { byScore } from './bm25.js';
import { computeFeedback } from './feedback.js';
import { type Fingerprint, hashWord } from './fingerprint.js';
import { Nearness, type NearbyTerm } from './nearness.js';
import type { SearchDeadline } from './search-deadline.js';
import { countPairs, NO_PAIRS, PairCounter, type PairCounts } from './word-pairs.js';

/** A passage found for a question, with its score. */
export interface Hit {
  readonly number: number;
  readonly score: number;
  /** Undefined for a passage that was indexed by a version without fingerprints. */
  readonly fingerprint: Fingerprint | undefined;
}

const PAIR_WEIGHT = 0.3;
/** Limits what further occurrences of a pair add to the score, as `k1` of BM25. */
const SATURATION = 0.6;
/** The weight of the nearness of the question's words in the order of hits. */
const NEARBY_WEIGHT = 0.5;
/** The share of its score that is added to the hit most similar to the best hits. */
const FEEDBACK_WEIGHT = 0.3;

/**
 * Adds to the score of each hit for pairs of words that are adjacent in the question and in the
 * passage, more for pairs that fewer of the hits have.
 *
 * @param sequences the question's stems in order, in each language in which it is understood
 * @returns the hits, best first
 */
export async function rerank(
  hits: readonly Hit[],
  sequences: readonly (readonly string[])[],
  deadline: SearchDeadline,
): Promise<Hit[]> {
  const wanted: PairCounts = new Map(
    sequences.flatMap((terms) => [...countPairs(Uint16Array.from(terms, hashWord))]),
  );
  const counter = new PairCounter(wanted);
  const found = await deadline.map(hits, ({ fingerprint }) =>
    fingerprint ? counter.count(fingerprint.words) : NO_PAIRS,
  );
  const hitsWithPair = new Map<number, number>();
  for (const counts of found) {
    for (const pair of counts.keys()) hitsWithPair.set(pair, (hitsWithPair.get(pair) ?? 0) + 1);
  }
  const reranked = await deadline.map(hits, (hit, index) => {
    let bonus = 0;
    for (const [pair, count] of found[index] ?? []) {
      const rarity = Math.log(1 + hits.length / (hitsWithPair.get(pair) ?? 1));
      const frequency = (count * (SATURATION + 1)) / (count + SATURATION);
      bonus += (wanted.get(pair) ?? 0) * rarity * frequency;
    }
    return { ...hit, score: hit.score + PAIR_WEIGHT * bonus };
  });
  return reranked.sort(byScore);
}

/**
 * Puts hits first whose words of the question are near each other, and those that are about the same
 * as the best hits. A hit that moves gets the score of its new place, so that scores descend and stay
 * on the scale of `minScore`.
 *
 * @param hits best first
 */
export async function orderByContext(
  hits: readonly Hit[],
  terms: readonly NearbyTerm[],
  deadline: SearchDeadline,
): Promise<Hit[]> {
  const nearness = new Nearness(terms);
  const weighed = await deadline.map(hits, (hit) => {
    const nearby = hit.fingerprint ? nearness.weigh(hit.fingerprint) : 0;
    return { hit, number: hit.number, score: hit.score + NEARBY_WEIGHT * nearby };
  });
  const byNearness = weighed.sort(byScore);
  const feedback = computeFeedback(byNearness.map(({ hit }) => hit.fingerprint));
  return byNearness
    .map((one, index) => ({
      ...one,
      // The best hit stays the best: feedback only shows which other hits have the same topic.
      score: one.score * (1 + FEEDBACK_WEIGHT * (index === 0 ? 1 : (feedback[index] ?? 0))),
    }))
    .sort(byScore)
    .map(({ hit }, place) => ({ ...hit, score: hits[place]?.score ?? hit.score }));
}
