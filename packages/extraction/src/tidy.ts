import { writeRaised } from './characters/raised-text.js';

/** Invisible characters: soft hyphens, zero-width spaces, byte order marks, NUL, symbols of icon fonts. */
const INVISIBLE = /[\0\u00ad\u200b\u2060\ue000-\uf8ff\ufeff\ufffc]/g;

/** Collapses white space into single spaces, and removes invisible characters. */
export const tidy = (text: string): string =>
  writeRaised(text).replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();

/** Tidies text like `tidy`, but keeps the line breaks that the author set. */
export const tidyLines = (text: string): string =>
  writeRaised(text)
    .replace(INVISIBLE, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');

/** Code keeps its indentation and line ends. */
export function tidyCode(text: string): string {
  const lines = writeRaised(text)
    .replace(INVISIBLE, '')
    .split('\n')
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return first === -1 ? '' : lines.slice(first, last + 1).join('\n');
}
