import { SourceDto } from '../conversations/source.dto.js';

export class QueryResultDto {
  /** @example 'chunk_01kafdp6ygf4rs4s2cr5cvzwkc' */
  chunk_id: string;
  /** @example 'doc_01kafdp6ygf4rs4s2cr5cvzwkc' */
  document_id: string;
  /** @example 'Returns policy' */
  document_title: string;
  /** @example 'policies/returns' */
  external_id: string | null;
  /** @example 'https://shop.example.com/returns' */
  source_url: string | null;
  /** From 1 for paged formats, else null. */
  page: number | null;
  /** @example 'Customers may return any order within 30 days of delivery.' */
  text: string;
  /** Higher is better; comparable within one question only. */
  score: number;
  /** @example { "department": "support" } */
  metadata: Record<string, unknown>;
}

export class QueryAnswerDto {
  /** @example 'query_01kafdp6ygf4rs4s2cr5cvzwkc' */
  query_id: string;
  /** Best first. */
  results: QueryResultDto[];
  /** @example 4 */
  latency_ms: number;
}

export class UsageDto {
  prompt_tokens: number;
  completion_tokens: number;
}

export class ChatAnswerDto {
  /** Send it with the next message to go on. */
  conversation_id: string;
  /** @example 'msg_01kafdp6ygf4rs4s2cr5cvzwkc' */
  message_id: string;
  /**
   * `[n]` refers to the source with that index.
   * @example 'Customers may return any order within 30 days of delivery. [1]'
   */
  answer: string;
  /** False when nothing relevant was found. */
  answered: boolean;
  /** @example 'stop' */
  finish_reason: string;
  sources: SourceDto[];
  /** `extractive` quotes the documents without a language model. */
  model: string;
  /** Null without a language model. */
  usage: UsageDto | null;
  /** @example 5 */
  latency_ms: number;
}
