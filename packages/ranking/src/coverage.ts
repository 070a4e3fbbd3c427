import { type Fingerprint, hashWord } from './fingerprint.js';
import { foldLetters } from '@latchkey/text/fold-text';
import type { QuestionTerm } from './search-index.js';

/** The share of the weight of `terms` that `some` of them have; 1 if there are no terms. */
export function computeShare(
  some: readonly QuestionTerm[],
  terms: readonly QuestionTerm[],
): number {
  const sum = sumWeights(terms);
  return sum > 0 ? Math.min(1, sumWeights(some) / sum) : 1;
}

/** Finds the terms that a passage has; returns all of them if it has no fingerprint yet. */
export function findMatchedTerms(
  terms: readonly QuestionTerm[],
  fingerprint: Fingerprint | undefined,
): readonly QuestionTerm[] {
  if (!fingerprint) return terms;
  const words = new Set(fingerprint.words);
  return terms.filter(
    ({ stems, isKnown }) => isKnown && stems.some((stem) => words.has(hashWord(foldLetters(stem)))),
  );
}

const sumWeights = (terms: readonly QuestionTerm[]): number =>
  terms.reduce((sum, { weight }) => sum + weight, 0);
