import { isLetterClosing } from './letter-closings.js';
import { sentences } from './sentences.js';
import { smallTalkOf } from './small-talk.js';

/** Characters of a message that are read: the longest that is accepted. */
const MAX_LENGTH = 8000;
/** More questions than these are the last ones' story. */
const MAX_QUESTIONS = 6;
/** The marks that end a question, also in Greek (;) and Arabic; Armenian has its own within the word. */
const ENDS_AS_QUESTION = /[?？؟⁇⁈;;՞፧][\s"'”’»)）」』!！.…]*$/u;
const SEMICOLON = /;[\s"'”’»)]*$/u;
const GREEK = /\p{Script=Greek}/u;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * What a message asks, without its greeting, story and closing: the sentences that end with a question
 * mark, and if there are none, the last one that is not small talk. The whole message where it has one
 * sentence.
 */
export function askedSentences(message: string): string {
  const all = [...sentences(message.slice(0, MAX_LENGTH))]
    .map((sentence) => sentence.trim())
    .filter((sentence) => LETTER.test(sentence));
  // Behind the closing of a letter stands who writes.
  const closing = all.findIndex((sentence, index) => index > 0 && isLetterClosing(sentence));
  const letter = closing < 0 ? all : all.slice(0, closing);
  const said = letter.filter((sentence) => !smallTalkOf(sentence));
  const asked = said.filter(isQuestion).slice(-MAX_QUESTIONS);
  if (asked.length > 0) return asked.join(' ');
  return said.at(-1) ?? all.at(-1) ?? message;
}

const isQuestion = (sentence: string): boolean =>
  ENDS_AS_QUESTION.test(sentence) && (!SEMICOLON.test(sentence) || GREEK.test(sentence));
