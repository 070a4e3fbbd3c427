import { createHash } from 'node:crypto';
import { findQuestionTerms } from '@latchkey/ranking/question-terms';

/** Characters of a question that a gap shows: as long as the question of a curated answer may be. */
export const MAX_SHOWN_LENGTH = 1000;

/**
 * A number that questions share when they have the same words, apart from stop words, case,
 * punctuation and order. Of a longer one, only the characters that are shown count.
 */
export function questionTopic(question: string): number {
  const text = Array.from(question).slice(0, MAX_SHOWN_LENGTH).join('').normalize('NFKC');
  const words = [...new Set(findQuestionTerms(text))].sort().join(' ');
  // A question of punctuation only has no words; it is grouped by its exact text.
  const digest = createHash('sha256')
    .update(words || text.trim())
    .digest('hex');
  // 52 bits, which every database keeps exactly.
  return parseInt(digest.slice(0, 13), 16);
}
