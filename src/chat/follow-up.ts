import { questionTerms } from '../search/question-terms.js';

/** How many questions back a question is understood. */
export const FOLLOW_UP_TURNS = 3;

/** A question with fewer words that tell something hangs on what was asked before. */
const MIN_TERMS = 3;
/** So does one with fewer than this that begins like an addition, or names not what it is about. */
const MIN_TERMS_REFERRING = 6;
const REFERRING =
  /^\W*(and|but|or|also|then|what about|how about)\b|\b(it|its|they|them|their|theirs|this|that|these|those|there|he|she|his|her|him|one|ones)\b/i;
/** Of each question before. */
const MAX_CONTEXT_LENGTH = 500;

/**
 * What to search for. "And for EU orders?" is searched together with the questions it follows, back
 * to one that stands by itself. Its own words come twice and so weigh twice.
 *
 * @param earlier the questions before, oldest first
 */
export function searchText(question: string, earlier: readonly string[]): string {
  const context: string[] = [];
  for (const before of earlier.slice(-FOLLOW_UP_TURNS).toReversed()) {
    if (!followsUp(context[0] ?? question)) break;
    context.unshift(before);
  }
  if (context.length === 0) return question;
  const cut = context.map((text) => text.slice(0, MAX_CONTEXT_LENGTH).toWellFormed());
  return [question, question, ...cut].join('\n');
}

function followsUp(question: string): boolean {
  const terms = questionTerms(question).length;
  return terms < MIN_TERMS || (terms < MIN_TERMS_REFERRING && REFERRING.test(question));
}
