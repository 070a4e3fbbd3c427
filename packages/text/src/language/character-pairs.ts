import { foldLetters, normalizeText } from '../fold-text.js';
import { tokenize } from '../tokenize.js';
import { isStopWord } from './languages.js';
import { segmentByWords } from './segment.js';
import { segmentWords } from './segment-words.js';

/** Two adjacent characters: a text without spaces is indexed as overlapping pairs of these. */
const CHARACTER_PAIR = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{2}$/u;

const SINGLE = /^\p{scx=Han}$/u;
const HIRAGANA_PAIR = /^\p{scx=Hiragana}{2}$/u;

/** A pair that joins the end of a word to the beginning of the next counts less than one of a word. */
export const JOINING_PAIR_WEIGHT = 0.2;

export const isCharacterPair = (word: string): boolean => CHARACTER_PAIR.test(word);

/**
 * The words of a question that are pairs of characters, but of two words: such a pair is rare in texts
 * without being about anything. So is a pair of hiragana alone, mostly an ending (ます, され), where the
 * question has other pairs. Characters that stand alone beside each other may be a name that is in no
 * dictionary (希曼斯), unless one of them is a stop word.
 *
 * @param words as `tokenize` gives them, folded
 */
export function joiningPairs(question: string, words: readonly string[]): ReadonlySet<string> {
  const pairs = words.filter(isCharacterPair);
  if (pairs.length === 0) return new Set();
  const text = normalizeText(question);
  const within = new Set(
    [...segmentWords(text), ...namesIn(text)].flatMap((word) => tokenize(word).map(foldLetters)),
  );
  const hasOthers = pairs.some((pair) => within.has(pair) && !HIRAGANA_PAIR.test(pair));
  return new Set(
    pairs.filter((pair) => !within.has(pair) || (hasOthers && HIRAGANA_PAIR.test(pair))),
  );
}

function namesIn(text: string): string[] {
  const names: string[] = [];
  let name = '';
  for (const { segment } of segmentByWords(text)) {
    if (SINGLE.test(segment) && !isStopWord(segment, 'zh') && !isStopWord(segment, 'ja')) {
      name += segment;
      continue;
    }
    if (name.length > 1) names.push(name);
    name = '';
  }
  return name.length > 1 ? [...names, name] : names;
}
