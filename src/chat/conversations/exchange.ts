import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import type { AnswerKind, FinishReason, MessageStatus } from './message.entity.js';
import type { SourceDto } from './source.dto.js';

export interface Question {
  /** Undefined begins a conversation. */
  readonly conversationId: string | undefined;
  readonly endUserId: string | null;
  readonly content: string;
  readonly askedAt: Date;
}

/** Token usage as the language model reports it. */
interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** An answer, complete or not. */
export interface Outcome {
  readonly content: string;
  readonly status: MessageStatus;
  readonly answered: boolean;
  /** Null for an answer to a question. */
  readonly kind: AnswerKind | null;
  readonly sources: SourceDto[];
  /** Null unless the question is not answered. */
  readonly related: SourceDto[] | null;
  /** See Message. */
  readonly toldDocumentIds: string[] | null;
  /** Null without a language model. */
  readonly grounded: boolean | null;
  readonly model: string;
  readonly finishReason: FinishReason | null;
  readonly usage: TokenUsage | null;
  /** Null while the answer is being written. */
  readonly latencyMs: number | null;
}

/** A question with its whole answer. */
export interface Turn {
  readonly question: string;
  readonly answer: string;
  /** The documents that the answer may have its words from; undefined for a turn that the client sends. */
  readonly documentIds?: readonly string[];
}

/** A stored question and its answer. */
export interface Exchange {
  readonly apiKey: ApiKeyPrincipal;
  readonly question: Question;
  readonly conversationId: string;
  readonly questionId: string;
  /** Of the answer. */
  readonly messageId: string;
  /** The end user of the conversation; null when none was named. */
  readonly endUserId: string | null;
  /** When the answer was begun; it is counted in the quarter hour of this time. */
  readonly at: Date;
}
