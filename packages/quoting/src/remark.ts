import { isStopWord } from '@latchkey/text/language/languages';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import type { SmallTalk } from '@latchkey/text/small-talk';
import { tokenize } from '@latchkey/text/tokenize';
import type { QuestionTerm } from '@latchkey/ranking/search-index';
import { hasQuestionWord } from './question-type.js';

const MAX_LENGTH = 60;
const MAX_WORDS = 8;
/** Keywords and names of things have fewer; they may ask for what the documents lack. */
const MIN_SHARE_OF_STOP_WORDS = 0.5;
const MARK_OR_NUMBER = /[?？؟\p{Nd}]/u;

/**
 * Recognises a remark in any language that has a list of stop words: it is short, has no question form and no
 * content word that any document has.
 *
 * @param terms of the message, as a search found them
 */
export function detectRemark(
  message: string,
  terms: readonly Pick<QuestionTerm, 'word' | 'isKnown'>[],
): SmallTalk | undefined {
  if (message.length > MAX_LENGTH || MARK_OR_NUMBER.test(message)) return undefined;
  if (hasQuestionWord(message)) return undefined;
  const language = detectQuestionLanguage(message);
  if (terms.some(({ word, isKnown }) => isKnown && !isStopWord(word, language))) return undefined;
  const words = tokenize(message, language);
  const stopWords = words.filter((word) => isStopWord(word, language));
  const isRemark =
    words.length > 0 &&
    words.length <= MAX_WORDS &&
    stopWords.length >= MIN_SHARE_OF_STOP_WORDS * words.length;
  return isRemark ? { kind: 'about', language } : undefined;
}
