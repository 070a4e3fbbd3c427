import { foldLetters, normalizeText } from '../fold-text.js';
import { tokenize } from '../tokenize.js';
import { segmentWords } from './segment-words.js';

/** Two adjacent characters: a text without spaces is indexed as overlapping pairs of these. */
const CHARACTER_PAIR = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{2}$/u;

/** A pair that joins the end of a word to the beginning of the next counts less than one of a word. */
export const JOINING_PAIR_WEIGHT = 0.2;

export const isCharacterPair = (word: string): boolean => CHARACTER_PAIR.test(word);

/**
 * The words of a question that are pairs of characters, but of two words: such a pair is rare in texts
 * without being about anything.
 *
 * @param words as `tokenize` gives them, folded
 */
export function joiningPairs(question: string, words: readonly string[]): ReadonlySet<string> {
  const pairs = words.filter(isCharacterPair);
  if (pairs.length === 0) return new Set();
  const within = new Set(
    segmentWords(normalizeText(question)).flatMap((word) => tokenize(word).map(foldLetters)),
  );
  return new Set(pairs.filter((pair) => !within.has(pair)));
}
