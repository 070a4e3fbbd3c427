import type { Term } from './term-selection.js';

/** Of all passages, by estimate: with fewer that lack a word, having it tells nothing. */
const FEW = 0.1;

/** Up to how many passages must be counted to tell which terms are informative. */
export const countNeeded = (terms: readonly Term[]): number =>
  2 * Math.max(0, ...terms.map(({ frequency }) => frequency)) + 1;

/**
 * The terms without those that nearly all passages have, where another is in less than half of
 * them: the question is about that one. The share of passages that lack a word is estimated by
 * Laplace's rule of succession, so that in fewer than nine passages no word is left out.
 *
 * @param passages how many there are; `countNeeded` stands for that many or more
 */
export function informativeTerms(terms: readonly Term[], passages: number): readonly Term[] {
  const lackingShare = ({ frequency }: Term) => (passages - frequency + 1) / (passages + 2);
  if (!terms.some((term) => lackingShare(term) > 0.5)) return terms;
  return terms.filter((term) => lackingShare(term) >= FEW);
}
