const MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Leaves out what is more than 30 marks on one character, which no language has: normalising sorts
 * them, in quadratic time. Unicode's Stream-Safe Text Format has the same limit.
 */
export const limitMarks = (text: string): string => text.replace(MANY_MARKS, '$1');

/**
 * Text as it is compared: lower case, Latin letters without their accents, characters without
 * their typographic variants, and one space for whatever is not a letter, a digit or a mark.
 */
export const foldText = (text: string): string =>
  limitMarks(text)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
