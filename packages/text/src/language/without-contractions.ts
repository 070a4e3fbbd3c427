const NOT_CONTRACTED = /\b(?:ca|sha|wo)n['’]t\b/gi;
const ENDINGS = /(?<=\p{L})(?:n['’]t|['’](?:d|ll|m|re|s|ve))(?![\p{L}\p{N}])/giu;

/**
 * A question without what English words are contracted with: "what's" is searched as "what", "doesn't" as
 * "does". By itself, an `s` or a `doesn` would seem to be a rare word of the question. Possessives go as
 * well: "the buyer's" is searched as "the buyer".
 */
export const withoutContractions = (question: string): string =>
  question.replace(NOT_CONTRACTED, ' ').replace(ENDINGS, '');
