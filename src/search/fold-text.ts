const MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Leaves at most 30 combining marks on a character, which no language exceeds. Normalization sorts
 * the marks in quadratic time; Unicode's Stream-Safe Text Format sets the same limit.
 */
export const limitMarks = (text: string): string => text.replace(MANY_MARKS, '$1');

/**
 * Text in the form in which it is compared: lower case, Latin letters without accents, characters
 * without typographic variants, one space for anything but letters, digits and marks.
 */
export const foldText = (text: string): string =>
  limitMarks(text)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
