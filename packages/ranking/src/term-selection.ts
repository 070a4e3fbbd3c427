import { MAX_POSTINGS, MAX_TERMS, MIN_CANDIDATES, SCANNED_POSTINGS } from './bounds.js';

/** A distinct stem of a question that occurs in the index. */
export interface Term {
  readonly stem: string;
  /** How often it occurs in the question. */
  readonly times: number;
  /** Document frequency: how many passages have it. */
  readonly frequency: number;
  /** Inverse document frequency of its word, whose other stems are counted too. */
  readonly weight: number;
}

/** The terms by which a search scores passages. */
interface TermSelection {
  /** The rarest terms: all of their postings are read, and every passage with one of them is a candidate. */
  readonly scanned: readonly Term[];
  /** The most frequent terms: they add to the scores of the best candidates. */
  readonly common: readonly Term[];
}

/** The terms that are searched: at most MAX_TERMS, the rarest first. */
export const selectTerms = (terms: readonly Term[]): Term[] =>
  terms
    .filter(({ frequency }) => frequency > 0)
    // The sort is stable: equally rare terms stay in the order of the question.
    .toSorted((one, other) => one.frequency - other.frequency)
    .slice(0, MAX_TERMS);

/**
 * Divides the terms so that a search reads a bounded number of postings, however many passages
 * there are. A passage that has only the most frequent terms is rarely among the best.
 *
 * @param terms the rarest first
 */
export function splitTerms(terms: readonly Term[]): TermSelection {
  let postings = 0;
  const first = terms.findIndex(({ frequency }) => {
    const before = postings;
    postings += frequency;
    return before >= MIN_CANDIDATES && postings > SCANNED_POSTINGS;
  });
  return first < 0
    ? { scanned: terms, common: [] }
    : { scanned: terms.slice(0, first), common: terms.slice(first) };
}

/** All terms whose postings can be read in one search, the rarest first. */
export function selectScannable(terms: readonly Term[]): readonly Term[] {
  let postings = 0;
  return terms.filter(({ frequency }, index) => {
    postings += frequency;
    return index === 0 || postings <= MAX_POSTINGS;
  });
}

/**
 * Divides terms, in their order, into groups that have at most `limit` postings. A term that has more
 * is a group of its own.
 */
export function groupTerms<T extends Pick<Term, 'frequency'>>(
  terms: readonly T[],
  limit: number,
): T[][] {
  const groups: T[][] = [];
  let postings = 0;
  for (const term of terms) {
    const group = groups.at(-1);
    postings += term.frequency;
    if (group && postings <= limit) {
      group.push(term);
    } else {
      groups.push([term]);
      postings = term.frequency;
    }
  }
  return groups;
}

/** The number of postings of the terms: an upper bound of the number of passages with any of them. */
export const countPostings = (terms: readonly Term[]): number =>
  terms.reduce((sum, { frequency }) => sum + frequency, 0);
