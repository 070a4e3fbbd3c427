/**
 * Text as it is compared: lower case, Latin letters without their accents, characters without
 * their typographic variants, and one space for whatever is not a letter, a digit or a mark.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
