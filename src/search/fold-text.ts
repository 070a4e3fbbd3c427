/**
 * Text as FTS5's unicode61 tokenizer sees it: lower case, Latin letters without their accents,
 * and one space for whatever is not a letter, a digit or a mark.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
