import { eng } from 'stopword';
import { words } from './words.js';

const STOP_WORDS = new Set(eng);
/** More words than this say nothing more about what a question is about. */
const MAX_TERMS = 128;

/** The words of a text that carry meaning, folded and in order. */
export const tellingWords = (text: string): string[] =>
  // As they are written: "thé" is no article.
  words(
    text
      .toLowerCase()
      .replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => (STOP_WORDS.has(word) ? ' ' : word)),
  );

/**
 * The telling words of a question; all of them when none is. Said twice, a word counts twice.
 * Letters and digits only, so that nothing in it reads as query syntax.
 */
export function questionTerms(question: string, limit = MAX_TERMS): string[] {
  const telling = tellingWords(question);
  return (telling.length > 0 ? telling : words(question)).slice(0, limit);
}
