import { eng } from 'stopword';
import { limitMarks } from './fold-text.js';
import { tokenize } from './tokenize.js';

const STOP_WORDS = new Set(eng);
/** Further words of a question hardly change what it is about. */
const MAX_QUESTION_TERMS = 128;
/** Characters of a question that are read, after ligatures are resolved (ﷺ becomes eighteen). */
const MAX_LENGTH = 4000;

/** The words of a text but for stop words, folded and in order. */
export const contentWords = (text: string): string[] =>
  // Stop words go before the accents do: "thé" is no article.
  tokenize(
    text
      .toLowerCase()
      .replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => (STOP_WORDS.has(word) ? ' ' : word)),
  );

/**
 * The content words of a question; all of its words where it has only stop words. A repeated word
 * is repeated. Words have letters and digits only, so that none can be read as query syntax.
 */
export function questionTerms(question: string, limit = MAX_QUESTION_TERMS): string[] {
  const text = limitMarks(question).normalize('NFKC').slice(0, MAX_LENGTH);
  const terms = contentWords(text);
  return (terms.length > 0 ? terms : tokenize(text)).slice(0, limit);
}
