import { normalizeText } from '../fold-text.js';
import { QUESTION_WORDS } from './question-words.js';
import { segmentByWords } from './segment.js';

const HAN_OR_KANA = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;
const KANA = /[\p{scx=Hiragana}\p{scx=Katakana}]/u;
const HANGUL = /\p{scx=Hangul}/u;
const LETTER = /[\p{L}\p{N}]/u;
/** A question word with the unit that it counts: 几点, 多少钱, 何時. The books of 几本书 stay. */
const COUNTING = /^(?:[几幾][^的]|多少[钱錢]?|何[時时年月日人回件個个歳歲枚本円%])/u;

/** Korean question words with their particle and ending, and with the unit counted: 언제까지, 얼마예요, 몇 시에. */
const KOREAN =
  /(?<!\p{L})(?:(?:언제|어디|누가|누구|무엇|무슨|뭐|뭘|어떻게|어떤|어느|왜|얼마나|얼마|며칠)(?:까지|부터|에서|에게|에|으로|로|를|을|가|이|은|는|의)?(?:인가요|인지|인가|예요|에요|이에요|이죠|죠|입니까|이고|이며|고)?|몇(?: ?(?:시간|개월|시|명|일|개|번|회|분|층|대|살|월|년|주|퍼센트)(?:까지|부터|에|를|을|이|가|은|는)?(?:인가요|이에요|예요|입니까)?)?|(?:알려|말해|가르쳐) ?주세요|궁금(?:합니다|해요))(?!\p{L})/gu;

const getQuestionWords = (language: string) => new Set(QUESTION_WORDS[language]?.split(' '));
const CHINESE = getQuestionWords('zh');
const JAPANESE = getQuestionWords('ja');

/**
 * Removes the question words from a Chinese, Japanese or Korean question. These texts are searched by pairs of
 * characters. A pair of a question word and the character beside it is in no list of stop words, and would look
 * informative, because few texts have it.
 *
 * @returns the question itself in other scripts, or where nothing would remain
 */
export function withoutQuestionWords(question: string): string {
  if (HANGUL.test(question)) {
    const bare = question.replace(KOREAN, ' ');
    return LETTER.test(bare) ? bare : question;
  }
  if (!HAN_OR_KANA.test(question)) return question;
  const words = KANA.test(question) ? JAPANESE : CHINESE;
  const rest = segmentByWords(question)
    .map(({ segment }) =>
      words.has(normalizeText(segment)) ? ' ' : segment.replace(COUNTING, ' '),
    )
    .join('');
  return LETTER.test(rest) ? rest : question;
}
