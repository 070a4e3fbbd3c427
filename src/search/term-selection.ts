import {
  EXHAUSTIVE_POSTINGS,
  MAX_POSTINGS,
  MAX_TERMS,
  MIN_CANDIDATES,
  SELECTIVE_POSTINGS,
  TOO_FREQUENT,
} from './bounds.js';

/** A word of a question, as the index knows it. */
export interface Term {
  readonly stem: string;
  /** How often the question has it. */
  readonly times: number;
  /** How many passages have it. */
  readonly frequency: number;
}

/** What a search scores passages by. */
export interface TermSelection {
  /** A passage is a candidate when it has one of these: the rarest terms. */
  readonly selective: readonly Term[];
  /** They add to the score of a candidate, and make none: the most frequent terms. */
  readonly common: readonly Term[];
}

/**
 * The rarest terms of a question, which bounds what reading their postings costs: at most
 * MAX_TERMS, and fewer where each is in very many passages.
 *
 * @param stems of the question's words, in order
 * @param frequencies in how many passages each stem is
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
    // Stable: of equally rare terms those that the question names first.
    .sort((one, other) => one.frequency - other.frequency)
    .slice(0, MAX_TERMS);
  let postings = 0;
  return terms.filter(({ frequency }, index) => {
    postings += frequency;
    return frequency < TOO_FREQUENT && (index === 0 || postings <= MAX_POSTINGS);
  });
}

/**
 * Terms that make candidates, so that a search scores a few thousand passages instead of every one
 * that has any of the words: those with only the most frequent words are rarely among the best.
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

/** An upper bound of how many passages have one of the terms. */
export const countPostings = (terms: readonly Term[]): number =>
  terms.reduce((sum, { frequency }) => sum + frequency, 0);
