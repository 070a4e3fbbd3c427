import { findAskedSentences } from '@latchkey/text/asked-sentences';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { QUESTION_WORDS } from '@latchkey/text/language/question-words';
import { splitSentences } from '@latchkey/text/sentences';
import {
  completeFollowUp,
  BEGINNINGS,
  countContentWords,
  findContext,
  continuesEarlier,
  refersBack,
  buildSearchText,
} from './follow-up.js';

/** One of the questions of a message. */
export interface SingleQuestion {
  /** The sentences that ask it. */
  readonly asked: string;
  /** The earlier questions that it goes on from. */
  readonly context: readonly string[];
  /** What to search for: the question with its context, and with the message's story. */
  readonly text: string;
}

/** A message with more questions is answered as one. */
const MAX_QUESTIONS = 3;
/** A sentence with fewer words that say what it is about is a part of the question beside it. */
const MIN_CONTENT_WORDS = 2;
/** "And" of languages whose question words need not stand at the beginning of a clause. */
const AND: Readonly<Record<string, string>> = { tr: 've', id: 'dan', vi: 'và', hi: 'और' };
/** Question words of these languages that also join clauses, or are parts of others: "thế nào". */
const JOINING = new Set(['khi', 'thế', 'tại', 'vì', 'như', 'zaman']);
/** Languages in which "and" is written together with the next word. */
const ATTACHED_AND: Readonly<Record<string, string>> = { ar: 'و', fa: 'و', he: 'ו' };

/**
 * Splits a message into its questions, in order: "How long may I return it, and who pays for it?" has two.
 *
 * @param earlier the questions asked before, oldest first
 */
export function separateQuestions(message: string, earlier: readonly string[]): SingleQuestion[] {
  const whole = findAskedSentences(message);
  const parts = splitQuestions(whole);
  if (parts.length < 2 || parts.length > MAX_QUESTIONS) {
    const context = findContext(message, earlier);
    return [{ asked: whole, context, text: buildSearchText(message, context) }];
  }
  const asking = new Set(listSentences(whole));
  const story = listSentences(message).filter((sentence) => !asking.has(sentence));
  return parts.map((asked, index) => {
    const before = parts[index - 1];
    const context =
      before === undefined ? findContext(asked, earlier) : refersBack(asked) ? [before] : [];
    return { asked, context, text: [...story, buildSearchText(asked, context)].join('\n') };
  });
}

const listSentences = (text: string): string[] =>
  [...splitSentences(text)].map((sentence) => sentence.trim()).filter(Boolean);

function splitQuestions(asked: string): string[] {
  const parts: string[] = [];
  for (const part of listSentences(asked).flatMap(splitClauses)) {
    const before = parts.at(-1);
    const completed = before && completeFollowUp(part, before);
    if (completed !== undefined) {
      parts.push(completed);
      continue;
    }
    const own = countContentWords(part);
    const standsAlone = own >= (continuesEarlier(part) ? 1 : MIN_CONTENT_WORDS);
    // A part that is too short belongs to the one before it, or the first one to the second.
    if (before !== undefined && (!standsAlone || countContentWords(before) < MIN_CONTENT_WORDS)) {
      parts[parts.length - 1] = `${before} ${part}`;
    } else parts.push(part);
  }
  return parts;
}

/** Divides a sentence before an "and" that a question word follows, if one stands before it too. */
function splitClauses(sentence: string): string[] {
  const language = detectQuestionLanguage(sentence) ?? '';
  const isAsking = (word: string) => !JOINING.has(word);
  const words = (QUESTION_WORDS[language] ?? '').split(' ').filter(isAsking).join('|');
  if (words === '') return [sentence];
  const asks = new RegExp(`(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])`, 'iu');
  const anywhere = AND[language];
  const and = ATTACHED_AND[language];
  const joins = and ?? `(?:${BEGINNINGS[language] ?? '&'}) (?:\\p{L}{1,4} )?`;
  const between = anywhere
    ? new RegExp(`[,،;]? (?=${anywhere} )`, 'iu')
    : new RegExp(`[,،;]? (?=${joins}(?:${words})(?![\\p{L}\\p{M}]))`, 'iu');
  const clauses: string[] = [];
  // A run of white space would be tried from each of its characters on.
  for (const clause of sentence.replace(/\s+/g, ' ').split(between)) {
    const before = clauses.at(-1);
    if (before !== undefined && !(asks.test(before) && (!anywhere || asks.test(clause))))
      clauses[clauses.length - 1] = `${before} ${clause}`;
    else clauses.push(clause);
  }
  return clauses;
}
