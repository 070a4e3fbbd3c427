import {
  EXHAUSTIVE_POSTINGS,
  MAX_POSTINGS,
  MAX_TERMS,
  MIN_CANDIDATES,
  SELECTIVE_POSTINGS,
  TOO_FREQUENT,
} from './bounds.js';

/** A distinct stem of a question that occurs in the index. */
export interface Term {
  readonly stem: string;
  /** How often it occurs in the question. */
  readonly times: number;
  /** Document frequency: how many passages have it. */
  readonly frequency: number;
}

/** The terms by which a search scores passages. */
export interface TermSelection {
  /** The rarest terms: a passage that contains one of them is a candidate. */
  readonly selective: readonly Term[];
  /** The most frequent terms: they add to the score of a candidate, but do not make a passage one. */
  readonly common: readonly Term[];
}

/**
 * The rarest terms of a question: at most MAX_TERMS, and no more than MAX_POSTINGS in all, so that
 * the cost of reading their postings is bounded.
 *
 * @param stems of the question's words, in order
 * @param frequencies the document frequency of each stem
 * @returns the rarest first
 */
export function selectTerms(
  stems: readonly string[],
  frequencies: ReadonlyMap<string, number>,
): Term[] {
  const times = new Map<string, number>();
  for (const stem of stems) times.set(stem, (times.get(stem) ?? 0) + 1);
  const terms = [...times]
    .map(([stem, count]) => ({ stem, times: count, frequency: frequencies.get(stem) ?? 0 }))
    .filter(({ frequency }) => frequency > 0)
    // The sort is stable: equally rare terms stay in the order of the question.
    .sort((one, other) => one.frequency - other.frequency)
    .slice(0, MAX_TERMS);
  let postings = 0;
  return terms.filter(({ frequency }, index) => {
    postings += frequency;
    return frequency < TOO_FREQUENT && (index === 0 || postings <= MAX_POSTINGS);
  });
}

/**
 * Divides the terms so that a search scores a few thousand candidates instead of every passage with
 * any of the terms. A passage that has only the most frequent terms is rarely among the best.
 *
 * @param terms the rarest first
 */
export function splitTerms(terms: readonly Term[]): TermSelection {
  if (countPostings(terms) <= EXHAUSTIVE_POSTINGS) return { selective: terms, common: [] };
  let postings = 0;
  const first = terms.findIndex(({ frequency }) => {
    const before = postings;
    postings += frequency;
    return before >= MIN_CANDIDATES && postings > SELECTIVE_POSTINGS;
  });
  return first < 0
    ? { selective: terms, common: [] }
    : { selective: terms.slice(0, first), common: terms.slice(first) };
}

/** The number of postings of the terms: an upper bound of the number of passages with any of them. */
export const countPostings = (terms: readonly Term[]): number =>
  terms.reduce((sum, { frequency }) => sum + frequency, 0);
