import { extractAnswer } from './extract-answer.js';

export interface ExtractiveRequest {
  readonly question: string;
  /** The passages' texts, best first. */
  readonly passages: readonly string[];
}

export default ({ question, passages }: ExtractiveRequest): string | undefined =>
  extractAnswer(question, passages);
