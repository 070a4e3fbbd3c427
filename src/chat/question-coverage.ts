import type { QuestionTerm } from '../search/search-index.js';

/** Two adjacent characters of a text without spaces, which is searched by overlapping pairs. */
const CHARACTER_PAIR = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{2}$/u;

interface WeighedTerm {
  readonly term: QuestionTerm;
  /** Pairs of characters before and after it that share a character with it. */
  readonly overlapping: readonly QuestionTerm[];
}

/** How much of a question a text speaks of. */
export class QuestionCoverage {
  private readonly terms: readonly WeighedTerm[];
  private readonly sum: number;

  /** @param terms in the order of the question */
  constructor(terms: readonly QuestionTerm[]) {
    this.terms = terms.map((term, index) => {
      const [before, after] = [terms[index - 1], terms[index + 1]];
      return {
        term,
        overlapping: [
          ...(before && overlap(before, term) ? [before] : []),
          ...(after && overlap(term, after) ? [after] : []),
        ],
      };
    });
    this.sum = terms.reduce((sum, { weight }) => sum + weight, 0);
  }

  /**
   * The share of the question's weight that some of its terms have, 0 to 1. Of a pair of characters that
   * is missing, each overlapping pair that is not counts half: it may be the end of one word and the
   * beginning of the next.
   */
  shareOf(some: ReadonlySet<QuestionTerm>): number {
    if (this.sum === 0) return 0;
    let share = 0;
    for (const { term, overlapping } of this.terms) {
      if (some.has(term)) share += term.weight;
      else share += (overlapping.filter((one) => some.has(one)).length / 2) * term.weight;
    }
    return share / this.sum;
  }
}

const overlap = ({ word: one }: QuestionTerm, { word: next }: QuestionTerm): boolean =>
  CHARACTER_PAIR.test(one) &&
  CHARACTER_PAIR.test(next) &&
  Array.from(one)[1] === Array.from(next)[0];
