/** Limits that bound the cost of a search; the same on both engines, which find the same passages. */

/** The weight of a word in the title; a word in the text has the weight 1. */
export const TITLE_WEIGHT = 2;
/** Hits that are reranked. */
export const WINDOW = 100;
/** Hits that are reranked when too many of the first ones were deleted or near duplicates. */
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
/** The frequency given to a term with too many passages to count; such a term is not searched. */
export const TOO_FREQUENT = Number.MAX_SAFE_INTEGER;
