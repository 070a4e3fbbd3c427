import { foldLetters, normalizeText } from '../fold-text.js';
import { tokenize } from '../tokenize.js';
import { isStopWord } from './languages.js';
import { segmentByWords } from './segment.js';
import { segmentWords } from './segment-words.js';

/** Two adjacent characters: a text without spaces is indexed as overlapping pairs of these. */
const CHARACTER_PAIR = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{2}$/u;

const SINGLE = /^\p{scx=Han}$/u;
const HIRAGANA_PAIR = /^\p{scx=Hiragana}{2}$/u;

/** Particles that Korean attaches to nouns, and the polite endings of its verbs. */
const KOREAN_ENDING =
  /(?:(?<=[가-힣]{2})(?:에서는|에서|에게|까지|부터|으로|은|는|이|가|을|를|에|의|도|로|와|과|만)|(?:하|되|있|없|한|인|된|는|할|될|을|을까|을 수)?(?:나요|까요|가요|니까|어요|아요|여요|세요|예요|에요|는지|데요)|(?:합|됩|입|습)니다|(?:해|돼|되)요|해야)$/u;

/** The weight of a pair that joins the end of a word to the beginning of the next. */
export const JOINING_PAIR_WEIGHT = 0.2;

export const isCharacterPair = (word: string): boolean => CHARACTER_PAIR.test(word);

/**
 * Finds the pairs of characters in a question that mean nothing although texts rarely have them: pairs of two
 * words, pairs with a Korean particle or ending (가는 of 휴가는), and, if the question has other pairs, pairs of
 * hiragana alone, which are mostly endings (ます, され). Single characters beside each other may be a name that
 * no dictionary has (希曼斯), unless one of them is a stop word.
 *
 * @param words as `tokenize` gives them, folded
 */
export function findJoiningPairs(question: string, words: readonly string[]): ReadonlySet<string> {
  const pairs = words.filter(isCharacterPair);
  if (pairs.length === 0) return new Set();
  const text = normalizeText(question);
  const within = new Set(
    [...segmentWords(text).map(removeEnding), ...findNames(text)].flatMap((word) =>
      tokenize(word).map(foldLetters),
    ),
  );
  const hasOthers = pairs.some((pair) => within.has(pair) && !HIRAGANA_PAIR.test(pair));
  return new Set(
    pairs.filter((pair) => !within.has(pair) || (hasOthers && HIRAGANA_PAIR.test(pair))),
  );
}

/** Removes a Korean particle or ending; "나요" alone is one as well. */
const removeEnding = (word: string): string => word.replace(KOREAN_ENDING, '');

function findNames(text: string): string[] {
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
