import { eng } from 'stopword';

const STOP_WORDS = new Set(eng);
/** More words than this say nothing more; it bounds what a question can cost. */
const MAX_TERMS = 128;

/**
 * The words of a question that carry meaning, in lower case and in order; all of them when none
 * does. Said twice, a word counts twice. Letters and digits only, so that nothing in it reads as
 * query syntax.
 */
export function questionTerms(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MAX_TERMS);
}
