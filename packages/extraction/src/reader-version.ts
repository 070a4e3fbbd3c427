/**
 * Increased with each release whose readers or passages are better than before: documents read by an
 * earlier version are then indexed again in the background.
 */
export const READER_VERSION = 3;
