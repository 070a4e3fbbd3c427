/** @param {string} text */
export const lettersOf = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const HYPHEN = /(?<=\p{L})[-\u00ad\u2010\u2011]\n?(?=\p{L})/gu;
/** Arabic lam with alef, which are one glyph, and which pdftotext takes apart in the wrong order. */
const LAM_ALEF = /[\u0622\u0623\u0625\u0627\u0644]{2,}/g;
const ARABIC_MARKS = /[\u064b-\u0652]/g;
const BETWEEN_SCRIPTS = /(?<=\p{sc=Arabic})(?=\p{sc=Latin})|(?<=\p{sc=Latin})(?=\p{sc=Arabic})/gu;
/** Scripts in which the end of a line says nothing about the end of a word: compared by characters. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;

/**
 * How many of the expected words are found, and how many of those found are expected, in percent.
 *
 * @param {string[]} texts
 * @param {string} expected
 * @param {string} [allowed] may be there or not
 */
export function compare(texts, expected, allowed = '') {
  const found = countsOf(wordsOf(texts.join('\n')));
  const wanted = countsOf(wordsOf(expected));
  const optional = countsOf(wordsOf(allowed));
  let shared = 0;
  let excused = 0;
  for (const [word, count] of found) {
    const known = wanted.get(word) ?? 0;
    shared += Math.min(count, known);
    excused += Math.min(Math.max(0, count - known), optional.get(word) ?? 0);
  }
  const sum = (/** @type {Map<string, number>} */ counts) =>
    [...counts.values()].reduce((total, count) => total + count, 0);
  const recall = (100 * shared) / sum(wanted);
  const precision = (100 * shared) / (sum(found) - excused);
  return { recall, precision, f1: (2 * recall * precision) / (recall + precision) };
}

/** @param {string} text */
export const wordsOf = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(HYPHEN, '')
    .replace(ARABIC_MARKS, '')
    .replace(LAM_ALEF, (letters) => [...letters].sort().join(''))
    .replace(BETWEEN_SCRIPTS, ' ')
    .replace(UNSPACED, ' $& ')
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** @param {string[]} words */
function countsOf(words) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
