/** What both engines go by, so that they find the same. */

/** How much more a word of a title counts than one of the text. */
export const TITLE_WEIGHT = 2;
/** How many hits are weighed against each other. */
export const WINDOW = 100;
/** How many at most, where too many of them were of deleted documents, or alike. */
export const WIDE_WINDOW = 2000;
/** Hits that are looked through for a window of those that meet a filter, at first. */
export const FILTERED_HITS = 20 * WINDOW;
/** Words to compare with a misspelt one. */
export const SIMILAR_WORDS = 100;
