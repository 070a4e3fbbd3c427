import { ApiId, ApiInteger } from '../../platform/openapi/api-fields.js';
import type { AnswerReason, QuestionReason } from './stored-trace.js';

/** A passage that was found. */
export class TracedPassageDto {
  /** Its place among those found, from 1. */
  @ApiInteger({ minimum: 1 }) rank: number;
  /**
   * `changed`: its document was read again since. `deleted`: its document was deleted. `hidden`: you may not
   * read its document; ids, texts and scores are then null.
   */
  state: 'current' | 'changed' | 'deleted' | 'hidden';
  @ApiId('kb') kb_id: string | null;
  @ApiId('doc') document_id: string | null;
  @ApiId('chunk') chunk_id: string | null;
  /** Null if the document is deleted or hidden. */
  document_title: string | null;
  /** @example 'Returns › Refunds' */
  heading: string | null;
  @ApiInteger({ minimum: 1 }) page: number | null;
  /** The beginning of its text, at most 300 characters; null unless it is current. */
  text: string | null;
  /** From 0 to 1; comparable within one search. */
  score: number | null;
  /** The share of the question that it has by its words, from 0 to 1. */
  words: number | null;
  /** Its similarity by meaning, from -1 to 1; null without vectors. */
  meaning: number | null;
  /** Its number among the answer’s sources; null if the answer was not given it. */
  @ApiInteger({ minimum: 1 }) source_index: number | null;
  /** Whether the answer cites it. */
  cited: boolean;
}

export class TracedSearchDto {
  /** What was searched for; null if a model planned it from passages that you may not read. */
  text: string | null;
  /** Whether a model planned it, after it had read passages. */
  planned: boolean;
  /** Whether the question was answered, and why not; null if a model decided. */
  reason: QuestionReason | null;
  /** @example 0.87 */
  confidence: number | null;
  /** Whether the time limit ended it. */
  partial: boolean;
  /** Whether passages could not be found by meaning yet. */
  lacks_vectors: boolean;
  @ApiInteger({ minimum: 0 }) duration_ms: number;
  passages: TracedPassageDto[];
}

export class TracedSettingsDto {
  @ApiInteger({ minimum: 1 }) top_k: number;
  min_score: number | null;
  answer_threshold: number;
  /** Null without a language model. */
  effort: 'low' | 'medium' | 'high' | null;
  /** Null if the answer is hidden from you. */
  model: string | null;
}

/** How a stored answer came about. */
export class TraceDto {
  @ApiId('msg') message_id: string;
  /** What decided the answer; `hidden` if it rests on documents that you may not read. */
  reason: AnswerReason | 'hidden';
  /** Whether the language model failed, so that passages were quoted. */
  fell_back: boolean;
  searches: TracedSearchDto[];
  settings: TracedSettingsDto;
  /** Before the first search. */
  @ApiInteger({ minimum: 0 }) before_ms: number;
  /** Of all searches. */
  @ApiInteger({ minimum: 0 }) search_ms: number;
  /** Of the whole answer; null if it was not completed. */
  @ApiInteger({ minimum: 0 }) total_ms: number | null;
}
