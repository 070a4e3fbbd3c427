import { isCharacterPair } from '@latchkey/text/language/character-pairs';
import type { QuestionTerm } from '@latchkey/ranking/search-index';
import type { MatchedTerms } from './term-matcher.js';

/** How much a missing pair counts for each overlapping pair that is present. */
const OVERLAPPING_CREDIT = 0.6;

interface WeighedTerm {
  readonly term: QuestionTerm;
  /** Pairs of characters before and after it that share a character with it. */
  readonly overlapping: readonly QuestionTerm[];
}

/** Calculates how much of a question a text covers. */
export class QuestionCoverage {
  private readonly terms: readonly WeighedTerm[];
  private readonly sum: number;
  private readonly heaviest: number;

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
    this.heaviest = Math.max(0, ...terms.map(({ weight }) => weight));
  }

  /**
   * The weight of some terms as a share of the question's whole weight, 0 to 1. A missing pair of
   * characters still counts in part for each overlapping pair that is present, because it may only
   * join the end of one word to the beginning of the next.
   */
  computeShare(some: MatchedTerms): number {
    if (this.sum === 0) return 0;
    let share = 0;
    for (const { term, overlapping } of this.terms) {
      const present = overlapping.filter((one) => some.has(one)).length;
      const credit = some.get(term) ?? Math.min(1, present * OVERLAPPING_CREDIT);
      share += credit * term.weight;
    }
    return share / this.sum;
  }

  /**
   * Lowers a share by what is missing, more so if the question is short: a passage with one of two words
   * is less likely to be relevant than a passage with five of ten. A share of 1 stays 1.
   */
  lowerShare(share: number): number {
    if (this.sum === 0) return 0;
    return Math.max(0, share - ((1 - share) * this.heaviest) / this.sum);
  }
}

const overlap = ({ word: one }: QuestionTerm, { word: next }: QuestionTerm): boolean =>
  isCharacterPair(one) && isCharacterPair(next) && Array.from(one)[1] === Array.from(next)[0];
