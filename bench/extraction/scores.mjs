/** @param {string} text */
export const lettersOf = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * How many of the expected words are found, and how many of those found are expected, in percent.
 *
 * @param {string[]} texts
 * @param {string} expected
 */
export function compare(texts, expected) {
  const found = countsOf(wordsOf(texts.join('\n')));
  const wanted = countsOf(wordsOf(expected));
  let shared = 0;
  for (const [word, count] of wanted) shared += Math.min(count, found.get(word) ?? 0);
  const sum = (/** @type {Map<string, number>} */ counts) =>
    [...counts.values()].reduce((total, count) => total + count, 0);
  return { recall: (100 * shared) / sum(wanted), precision: (100 * shared) / sum(found) };
}

/** @param {string} text */
const wordsOf = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** @param {string[]} words */
function countsOf(words) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
