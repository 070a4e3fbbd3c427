/** Limits that both engines share, so that they find the same and every question's cost is bounded. */

/** How much more a word of a title counts than one of the text. */
export const TITLE_WEIGHT = 2;
/** Hits that are ranked against each other. */
export const WINDOW = 100;
/** The same, where too many of the first ones were deleted or near duplicates. */
export const WIDE_WINDOW = 2000;
/** Indexed words that a misspelt one is compared with. */
export const SIMILAR_WORDS = 100;

/** Words of a question that are looked up. */
export const MAX_WORDS = 512;
/** Distinct terms of a question that are searched. */
export const MAX_TERMS = 32;
/** Postings that one question reads, unless its rarest term alone has more. */
export const MAX_POSTINGS = 2_000_000;
/** Up to this many postings in all, every passage that has a term is a candidate. */
export const EXHAUSTIVE_POSTINGS = 5000;
/** Postings of the selective terms, and so roughly the number of candidates. */
export const SELECTIVE_POSTINGS = 3000;
/** A further term is made selective while there are fewer candidates than this. */
export const MIN_CANDIDATES = 500;
/** Stands for the frequency of a term in too many passages to count; such a term is not searched. */
export const TOO_FREQUENT = Number.MAX_SAFE_INTEGER;
