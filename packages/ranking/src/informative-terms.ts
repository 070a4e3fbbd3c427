import type { Term } from './term-selection.js';

/** A term that fewer than this share of the passages lack is not informative. */
const MIN_LACKING_SHARE = 0.1;

/**
 * The terms without those that nearly all passages have, provided that another term is in less than
 * half of the passages. The share of passages that lack a term is estimated by Laplace's rule of
 * succession, so that with fewer than nine passages no term is left out.
 *
 * @param passages how many there are
 */
export function informativeTerms(terms: readonly Term[], passages: number): readonly Term[] {
  const lackingShare = ({ frequency }: Term) => (passages - frequency + 1) / (passages + 2);
  if (!terms.some((term) => lackingShare(term) > 0.5)) return terms;
  return terms.filter((term) => lackingShare(term) >= MIN_LACKING_SHARE);
}
