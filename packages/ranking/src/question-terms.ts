import { foldLetters, limitMarks, withoutVariants } from '@latchkey/text/fold-text';
import { isStopWord } from '@latchkey/text/language/languages';
import { tokenize } from '@latchkey/text/tokenize';

/** Further words of a question hardly change what it is about. */
const MAX_QUESTION_TERMS = 128;
/** Characters of a question that are read, after ligatures are resolved (ﷺ becomes eighteen). */
const MAX_LENGTH = 4000;

/** The part of a question that is read. */
export const truncateQuestion = (question: string): string =>
  withoutVariants(limitMarks(question)).slice(0, MAX_LENGTH);

/** Puts the asked sentences first in a message that is too long: they mostly stand at its end, which is cut. */
export const withAskedFirst = (message: string, asked: string): string =>
  truncateQuestion(message).length < MAX_LENGTH ? message : `${asked}\n${message}`;

/**
 * The content words of a question, folded; all of its words where it has only stop words. A repeated
 * word is repeated.
 *
 * @param language BCP 47; by default the main language of each word's script
 */
export function findQuestionTerms(
  question: string,
  limit = MAX_QUESTION_TERMS,
  language: string | null = null,
): string[] {
  const words = tokenize(truncateQuestion(question), language);
  const content = words.filter((word) => !isStopWord(word, language));
  return (content.length > 0 ? content : words).slice(0, limit).map(foldLetters);
}
