import { writeRaised } from './characters/raised-text.js';

/** Characters that are not read: soft hyphens, zero-width spaces, byte order marks, NUL, signs of icon fonts. */
const INVISIBLE = /[\0\u00ad\u200b\u2060\ue000-\uf8ff\ufeff\ufffc]/g;

/** Text as it is read: white space as single spaces, no invisible characters. */
export const tidy = (text: string): string =>
  writeRaised(text).replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();

/** The same, but it keeps line breaks, for text whose author has set them. */
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
