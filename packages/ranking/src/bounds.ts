/** Limits that bound the cost of a search; the same on both engines, which find the same passages. */

/** The weight of a word in the title; a word in the text has the weight 1. */
export const TITLE_WEIGHT = 3;
/** Hits that are reranked. */
export const WINDOW = 100;
/** Hits that are reranked when too many of the first ones were deleted or near duplicates. */
export const WIDE_WINDOW = 2000;
/** Candidates to whose scores the scores of the other terms are added. */
export const COMPLETED_WINDOW = 300;
/** Indexed words that a misspelt one is compared with. */
export const SIMILAR_WORDS = 100;

/** Up to this many passages, it is cheaper to find all that match a filter than to check each hit. */
export const MATCHED_FIRST = 10_000;

/** Words of a question that are looked up. */
export const MAX_WORDS = 512;
/** Distinct terms of a question that are searched. */
export const MAX_TERMS = 128;
/**
 * Languages of a knowledge base in which a question is understood, the most frequent ones. A document
 * taken for another language is found by its words as long as this is one of them.
 */
export const MAX_LANGUAGES = 32;
/** Fewer languages for parts of compounds, since each word has many parts. */
export const MAX_COMPOUND_LANGUAGES = 8;
/** Postings that the widest search reads, unless its rarest term alone has more. */
export const MAX_POSTINGS = 1_000_000;
/** Postings that a search scans, from the rarest term on. */
export const SCANNED_POSTINGS = 16_000;
/**
 * Postings that are read at a time when a search reads more than SCANNED_POSTINGS: about 64 kB. Those
 * of a single term are read at once.
 */
export const POSTINGS_PER_READ = 4000;
/** A further term is scanned while there are fewer candidates than this. */
export const MIN_CANDIDATES = 500;
/** An unsure stop word that a smaller share of the passages has is a word like any other. */
export const STOP_WORD_SHARE = 0.15;
