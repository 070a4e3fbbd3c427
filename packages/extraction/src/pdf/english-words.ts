import { readFileSync } from 'node:fs';
import wordListPath from 'word-list';

const MIN_LETTERS = 4;
const MAX_LOOKED_AT = 500;
/** The list has about 0.9 of the words of an English text, and at most 0.3 of those in other languages. */
const MIN_SHARE = 0.7;

/**
 * The words of English in lower case, without hyphens and names; undefined if the document is mostly in
 * another language.
 *
 * @param words the words of a document, in lower case
 */
export function loadEnglishWords(words: Iterable<string>): ReadonlySet<string> | undefined {
  const english = new Set(readFileSync(wordListPath, 'utf8').split('\n'));
  let looked = 0;
  let known = 0;
  for (const word of words) {
    if (word.length < MIN_LETTERS || word.includes('-') || /\d/.test(word)) continue;
    if (english.has(word)) known++;
    if (++looked === MAX_LOOKED_AT) break;
  }
  return looked > 0 && known >= MIN_SHARE * looked ? english : undefined;
}
