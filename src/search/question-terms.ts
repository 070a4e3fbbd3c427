import { eng } from 'stopword';
import { limitMarks } from './fold-text.js';
import { words } from './words.js';

const STOP_WORDS = new Set(eng);
/** More words than this say nothing more about what a question is about. */
const MAX_TERMS = 128;
/** Characters that are looked for them, each ligature as what it stands for: ﷺ as eighteen. */
const MAX_LENGTH = 4000;

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
  const text = limitMarks(question).normalize('NFKC').slice(0, MAX_LENGTH);
  const telling = tellingWords(text);
  return (telling.length > 0 ? telling : words(text)).slice(0, limit);
}
