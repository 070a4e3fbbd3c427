import { questionTerms } from '@latchkey/ranking/question-terms';

/** How many earlier questions a question may refer to. */
export const FOLLOW_UP_TURNS = 3;

/** A question with fewer words, not counting stop words, is treated as a follow-up question. */
const MIN_TERMS = 3;
/** So is one with fewer words than this that begins with a conjunction or contains a pronoun. */
const MIN_TERMS_REFERRING = 6;
const REFERRING =
  /^\W*(and|but|or|also|then|what about|how about)\b|\b(it|its|they|them|their|theirs|this|that|these|those|there|he|she|his|her|him|one|ones)\b/i;
/** How many characters of each earlier question are used. */
const MAX_CONTEXT_LENGTH = 500;

/**
 * The text to search for. A follow-up question such as "And for EU orders?" is searched together with
 * the questions before it, back to the last one that is not a follow-up question itself. Its own words
 * are repeated, so that they count twice.
 *
 * @param earlier the earlier questions, oldest first
 */
export function searchText(question: string, earlier: readonly string[]): string {
  const context: string[] = [];
  for (const before of earlier.slice(-FOLLOW_UP_TURNS).toReversed()) {
    if (!isFollowUp(context[0] ?? question)) break;
    context.unshift(before);
  }
  if (context.length === 0) return question;
  const cut = context.map((text) => text.slice(0, MAX_CONTEXT_LENGTH).toWellFormed());
  return [question, question, ...cut].join('\n');
}

function isFollowUp(question: string): boolean {
  const terms = questionTerms(question).length;
  return terms < MIN_TERMS || (terms < MIN_TERMS_REFERRING && REFERRING.test(question));
}
