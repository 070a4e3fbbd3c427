import { type Fingerprint, hashWord } from './fingerprint.js';
import { foldLetters } from '@latchkey/text/fold-text';
import type { QuestionTerm } from './search-index.js';

/** The share of the weight of `terms` that `some` of them have; 1 if there are no terms. */
export function shareOf(some: readonly QuestionTerm[], terms: readonly QuestionTerm[]): number {
  const sum = weightOf(terms);
  return sum > 0 ? Math.min(1, weightOf(some) / sum) : 1;
}

/** The terms that a passage has. All where it has no fingerprint yet, since nothing is known of it. */
export function matchedTerms(
  terms: readonly QuestionTerm[],
  fingerprint: Fingerprint | undefined,
): readonly QuestionTerm[] {
  if (!fingerprint) return terms;
  const words = new Set(fingerprint.words);
  return terms.filter(
    ({ stems, isKnown }) => isKnown && stems.some((stem) => words.has(hashWord(foldLetters(stem)))),
  );
}

const weightOf = (terms: readonly QuestionTerm[]): number =>
  terms.reduce((sum, { weight }) => sum + weight, 0);
