import { ApiProperty } from '@nestjs/swagger';
import { SourceDto } from './conversations/source.dto.js';
import { TokenUsageDto } from './conversations/token-usage.dto.js';
import { ApiCount, ApiId } from '../platform/openapi/api-fields.js';
import { FoundPassageDto } from '../documents/search/passage.dto.js';

/** The rows of a table that a passage has; merged cells are repeated. */
export class TableDto {
  /**
   * Their names, with units as they stand there; empty where the table names none.
   * @example ['Plan', 'Price per year (EUR)']
   */
  columns: string[];
  /**
   * As displayed.
   * @example [['Basic', '96.00']]
   */
  @ApiProperty({ type: 'array', items: { type: 'array', items: { type: 'string' } } })
  rows: string[][];
}

export class QueryResultDto extends FoundPassageDto {
  /** @example 'Customers may return any order within 30 days of delivery.' */
  text: string;
  /** @example { "department": "support" } */
  metadata: Record<string, unknown>;
  /** With `tables`, of a passage that has rows of a table. Else left out. */
  table?: TableDto;
}

export class QueryAnswerDto {
  @ApiId('query') query_id: string;
  /** Best first. */
  results: QueryResultDto[];
  /**
   * True when the search reached its time limit: there may be better passages. Else left out.
   * @example false
   */
  partial?: boolean;
  /** @example 4 */
  @ApiCount() latency_ms: number;
}

/** An answer, without the ids under which it is stored. */
export class AnswerDto {
  /**
   * `[n]` refers to the source with that index.
   * @example 'Customers may return any order within 30 days of delivery. [1]'
   */
  answer: string;
  /** False when the documents do not answer the question. */
  answered: boolean;
  /** The message asks nothing: it is a greeting, thanks or the like. Else left out. */
  kind?: 'smalltalk';
  /** Somebody has written this answer; `model` is its id. Else left out. */
  curated?: true;
  /**
   * Of an answer by a language model: false when one of its numbers, names or quotations is in none
   * of the passages that it cites. Left out without a model.
   */
  grounded?: boolean;
  /**
   * Why the answer ends: `stop` where it was finished, `length` where the model’s limit cut it.
   * @example 'stop'
   */
  finish_reason: 'stop' | 'length' | 'content_filter' | 'other';
  sources: SourceDto[];
  /** Up to three passages that may help where the message, or one question of several, has no answer. */
  related?: SourceDto[];
  /**
   * `extractive` quotes the documents without a language model; of a curated answer, its id: several
   * that answer several questions have commas between them.
   * @example 'extractive'
   */
  model: string;
  /** Null without a language model, or where it tells none. */
  usage: TokenUsageDto | null;
  /**
   * True when the search reached its time limit: there may be better passages. Else left out.
   * @example false
   */
  partial?: boolean;
  /** @example 5 */
  @ApiCount() latency_ms: number;
}

export class ChatAnswerDto extends AnswerDto {
  /** Send it with the next message to go on. */
  @ApiId('conv') conversation_id: string;
  @ApiId('msg') message_id: string;
}

export class DashboardAnswerDto extends AnswerDto {
  /**
   * What was searched for: the questions of the message, follow-ups completed by what they go on from. Left out
   * where nothing was searched.
   */
  searched_for?: string[];
  /** Null: nothing is kept. */
  @ApiId('conv', null) conversation_id: string | null;
  /** Null: nothing is kept. */
  @ApiId('msg', null) message_id: string | null;
}
