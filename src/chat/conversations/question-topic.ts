import { createHash } from 'node:crypto';
import { questionTerms } from '@latchkey/ranking/question-terms';

/**
 * A number that questions share when they have the same words, apart from stop words, case,
 * punctuation and order.
 */
export function questionTopic(question: string): number {
  const text = question.normalize('NFKC');
  const words = [...new Set(questionTerms(text))].sort().join(' ');
  // A question of punctuation only has no words; it is grouped by its exact text.
  const digest = createHash('sha256')
    .update(words || text.trim())
    .digest('hex');
  // 52 bits, which every database keeps exactly.
  return parseInt(digest.slice(0, 13), 16);
}
