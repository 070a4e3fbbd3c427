import { createHash } from 'node:crypto';
import { findQuestionTerms } from '@latchkey/ranking/question-terms';

/** The characters of a question that a gap shows: as many as a question of a curated answer may have. */
export const MAX_SHOWN_LENGTH = 1000;

/**
 * A number that questions share if they have the same words, apart from stop words, case, punctuation and
 * order. Only the characters that are shown count.
 */
export function questionTopic(question: string): number {
  const text = Array.from(question).slice(0, MAX_SHOWN_LENGTH).join('').normalize('NFKC');
  const words = [...new Set(findQuestionTerms(text))].sort().join(' ');
  // A question of punctuation only has no words and is grouped by its exact text.
  const digest = createHash('sha256')
    .update(words || text.trim())
    .digest('hex');
  // Every database stores 52 bits exactly.
  return parseInt(digest.slice(0, 13), 16);
}
