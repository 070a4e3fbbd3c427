import { createHash } from 'node:crypto';
import { questionTerms } from '../search/question-terms.js';

/**
 * A number that questions have in common when they consist of the same meaning-bearing words:
 * whatever their case, punctuation, stop words and order.
 */
export function questionTopic(question: string): number {
  const text = question.normalize('NFKC');
  const words = [...new Set(questionTerms(text))].sort().join(' ');
  // One of signs alone is like itself.
  const digest = createHash('sha256')
    .update(words || text.trim())
    .digest('hex');
  // 52 bits, which every database keeps exactly.
  return parseInt(digest.slice(0, 13), 16);
}
