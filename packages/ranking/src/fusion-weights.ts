/** The constant `k` of reciprocal rank fusion: a higher one gives the first ranks less weight. */
export const FUSION_RANK = 10;
/** How much a hit by words counts if it has all words of the question; one by vectors counts 1. */
export const WORDS_WEIGHT = 1.6;
