const NOT_CONTRACTED = /\b(?:ca|sha|wo)n['’]t\b/gi;
const ENDINGS = /(?<=\p{L})(?:n['’]t|['’](?:d|ll|m|re|s|ve))(?![\p{L}\p{N}])/giu;

/**
 * Removes English contractions: "what's" is searched as "what", "doesn't" as "does". An `s` or a `doesn` alone
 * would look like a rare word of the question. Possessives are removed as well: "the buyer's" is searched as
 * "the buyer".
 */
export const withoutContractions = (question: string): string =>
  question.replace(NOT_CONTRACTED, ' ').replace(ENDINGS, '');
