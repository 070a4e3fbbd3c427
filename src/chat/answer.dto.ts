import { ApiProperty } from '@nestjs/swagger';
import { SourceDto } from './conversations/source.dto.js';
import { TokenUsageDto } from './conversations/token-usage.dto.js';
import { ApiCount, ApiId } from '../platform/openapi/api-fields.js';
import { FoundPassageDto } from '../documents/search/passage.dto.js';

/** The rows of a table in a passage; merged cells are repeated. */
export class TableDto {
  /**
   * The names of the columns, with their units; empty if the table names none.
   * @example ['Plan', 'Price per year (EUR)']
   */
  columns: string[];
  /**
   * The cells as displayed.
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
  /** The table of a passage, if `tables` was requested; missing otherwise. */
  table?: TableDto;
}

export class QueryAnswerDto {
  @ApiId('query') query_id: string;
  /** The passages, best first. */
  results: QueryResultDto[];
  /**
   * True if there may be better passages: the search reached its time limit, or some passages have no
   * vectors yet. Missing otherwise.
   * @example false
   */
  partial?: boolean;
  /** @example 4 */
  @ApiCount() latency_ms: number;
}

/** An answer without the ids under which it is stored. */
export class AnswerDto {
  /**
   * `[n]` refers to the source with that index.
   * @example 'Customers may return any order within 30 days of delivery. [1]'
   */
  answer: string;
  /** False if the documents do not contain the answer. */
  answered: boolean;
  /**
   * The number, time or cell of a table that was asked for, as it stands in a passage; the answer begins with it. Missing
   * with a language model, and if nothing of the kind was asked for or not exactly one fits.
   * @example '30 days'
   */
  answer_value?: string;
  /**
   * `smalltalk` if the message asks nothing, such as a greeting or thanks; `list` if the answer is a list of
   * documents. Missing otherwise.
   */
  kind?: 'smalltalk' | 'list';
  /**
   * The number of documents that a `list` has; it names the first of them. Missing otherwise.
   * @example 12
   */
  @ApiCount() total?: number;
  /** True if a person has written this answer, whose id is `model`; missing otherwise. */
  curated?: true;
  /**
   * False if the answer of a language model cites no passage, or a number, name or quotation in it is in none
   * of those that it cites. Missing without a model.
   */
  grounded?: boolean;
  /**
   * The probability that a quoted answer is right, from 0 to 1: of answers at 0.8 about eight in ten are. A
   * question below the knowledge base's `answer_threshold` is not answered. Missing with a language model,
   * for small talk and for curated answers.
   * @example 0.87
   */
  confidence?: number;
  /**
   * True if documents say the same with different values; the answer then quotes the newer first, each with its
   * document’s date. Missing otherwise, and with a language model.
   */
  conflict?: true;
  /**
   * Why the answer ended: `stop` if it is complete, `length` if the model’s limit cut it.
   * @example 'stop'
   */
  finish_reason: 'stop' | 'length' | 'content_filter' | 'other';
  sources: SourceDto[];
  /** Up to three passages that may help, if the message or one of its questions has no answer. */
  related?: SourceDto[];
  /**
   * The model. `extractive` means that the documents are quoted without a language model. For a curated
   * answer it is the answer’s id, or several ids separated by commas.
   * @example 'extractive'
   */
  model: string;
  /** Null without a language model, or if the model does not report it. */
  usage: TokenUsageDto | null;
  /**
   * True if there may be better passages: the search reached its time limit, or some passages have no
   * vectors yet. Missing otherwise.
   * @example false
   */
  partial?: boolean;
  /** @example 5 */
  @ApiCount() latency_ms: number;
}

export class ChatAnswerDto extends AnswerDto {
  /** Send it with the next message to continue the conversation. */
  @ApiId('conv') conversation_id: string;
  @ApiId('msg') message_id: string;
}

/** A round in which a language model searched further before it answered. */
export class StepDto {
  /**
   * The texts that it chose to search for; empty if it found nothing missing.
   * @example ['Who leads the Oslo office?']
   */
  searches: string[];
  /**
   * The number of passages that were found by these and not before.
   * @example 3
   */
  @ApiCount() passages: number;
}

export class DashboardAnswerDto extends AnswerDto {
  /**
   * The texts that were searched for: the questions of the message, with follow-ups completed. Missing if
   * nothing was searched.
   */
  searched_for?: string[];
  /** The rounds of `effort` `medium` or `high`, in order; missing if there were none. */
  steps?: StepDto[];
  /** Always null, because nothing is stored. */
  @ApiId('conv', null) conversation_id: string | null;
  /** Always null, because nothing is stored. */
  @ApiId('msg', null) message_id: string | null;
}
