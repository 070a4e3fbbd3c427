import { normalizeText } from '../fold-text.js';
import { QUESTION_WORDS } from './question-words.js';
import { segmentByWords } from './segment.js';

const HAN_OR_KANA = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;
const KANA = /[\p{scx=Hiragana}\p{scx=Katakana}]/u;
const LETTER = /[\p{L}\p{N}]/u;
/** What is counted or asked for belongs to a word that asks: 几点, 多少钱, 何時; 几本书 leaves the books. */
const COUNTING = /^(?:[几幾][^的]|多少[钱錢]?|何[時时年月日人回件個个歳歲枚本円%])/u;

const wordsOf = (language: string) => new Set(QUESTION_WORDS[language]?.split(' '));
const CHINESE = wordsOf('zh');
const JAPANESE = wordsOf('ja');

/**
 * A Chinese or Japanese question without its question words. These texts are searched by pairs of
 * characters; a pair that a question word makes with the character beside it is in no list of stop
 * words, and seems to be informative, because few texts have it.
 *
 * @returns the question itself in other scripts, or where nothing would remain
 */
export function withoutQuestionWords(question: string): string {
  if (!HAN_OR_KANA.test(question)) return question;
  const words = KANA.test(question) ? JAPANESE : CHINESE;
  const rest = segmentByWords(question)
    .map(({ segment }) =>
      words.has(normalizeText(segment)) ? ' ' : segment.replace(COUNTING, ' '),
    )
    .join('');
  return LETTER.test(rest) ? rest : question;
}
