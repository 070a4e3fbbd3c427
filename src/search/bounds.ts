/** What both engines go by, so that they find the same, and no question costs much. */

/** How much more a word of a title counts than one of the text. */
export const TITLE_WEIGHT = 2;
/** How many hits are weighed against each other. */
export const WINDOW = 100;
/** How many at most, where too many of them were of deleted documents, or alike. */
export const WIDE_WINDOW = 2000;
/** Words to compare with a misspelt one. */
export const SIMILAR_WORDS = 100;

/** Words of a question that are looked up. */
export const MAX_WORDS = 512;
/** Distinct terms that a question is answered by. */
export const MAX_TERMS = 32;
/** Postings that one question reads at most, unless its rarest term alone has more. */
export const MAX_POSTINGS = 2_000_000;
/** With fewer postings than this in all, every passage that has a term is a candidate. */
export const EXHAUSTIVE_POSTINGS = 5000;
/** Postings of the terms that make candidates; about as many passages are scored. */
export const SELECTIVE_POSTINGS = 3000;
/** Candidates that there are to be at least, so that there is something to choose from. */
export const MIN_CANDIDATES = 500;
/** The frequency of a term that is in too many passages to be counted; it is never used. */
export const TOO_FREQUENT = Number.MAX_SAFE_INTEGER;
