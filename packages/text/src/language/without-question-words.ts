import { normalizeText } from '../fold-text.js';
import { QUESTION_WORDS } from './question-words.js';
import { segmentByWords } from './segment.js';

const HAN_OR_KANA = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;
const KANA = /[\p{scx=Hiragana}\p{scx=Katakana}]/u;
const LETTER = /[\p{L}\p{N}]/u;

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
    .map(({ segment }) => (words.has(normalizeText(segment)) ? ' ' : segment))
    .join('');
  return LETTER.test(rest) ? rest : question;
}
