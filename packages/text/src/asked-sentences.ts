import { isLetterClosing } from './letter-closings.js';
import { splitSentences } from './sentences.js';
import { detectSmallTalk } from './small-talk.js';

/** Characters of a message that are read: the longest that is accepted. */
const MAX_LENGTH = 8000;
/** If there are more questions, only the last ones count; the others are their story. */
const MAX_QUESTIONS = 6;
/** The marks that end a question, also in Greek (;) and Arabic; Armenian has its own within the word. */
const ENDS_AS_QUESTION = /[?？؟⁇⁈;;՞፧][\s"'”’»)）」』!！.…]*$/u;
const SEMICOLON = /;[\s"'”’»)]*$/u;
const GREEK = /\p{Script=Greek}/u;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Finds what a message asks, without its greeting, story and closing: the sentences that end with a question
 * mark, or if there are none, the last one that is not small talk. A message of one sentence is returned whole.
 */
export function findAskedSentences(message: string): string {
  const all = [...splitSentences(message.slice(0, MAX_LENGTH))]
    .map((sentence) => sentence.trim())
    .filter((sentence) => LETTER.test(sentence));
  // The closing of a letter is followed by the name of the writer.
  const closing = all.findIndex((sentence, index) => index > 0 && isLetterClosing(sentence));
  const letter = closing < 0 ? all : all.slice(0, closing);
  const said = letter.filter((sentence) => !detectSmallTalk(sentence));
  const asked = said.filter(isQuestion).slice(-MAX_QUESTIONS);
  if (asked.length > 0) return asked.join(' ');
  return said.at(-1) ?? all.at(-1) ?? message;
}

const isQuestion = (sentence: string): boolean =>
  ENDS_AS_QUESTION.test(sentence) && (!SEMICOLON.test(sentence) || GREEK.test(sentence));
