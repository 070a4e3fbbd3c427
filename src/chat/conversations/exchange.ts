import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import type { Hold } from '../../knowledge-bases/budgets/budget-counts.js';

import type { AnswerKind, FinishReason, MessageStatus } from './message.entity.js';
import type { SourceDto } from './source.dto.js';
import type { StoredTrace } from './stored-trace.js';

export interface Question {
  /** Undefined to begin a conversation. */
  readonly conversationId: string | undefined;
  readonly endUserId: string | null;
  readonly content: string;
  readonly askedAt: Date;
  /** The knowledge bases that the request names; null if it names none. */
  readonly namedKbIds: readonly string[] | null;
  /** The knowledge bases that the question is put to. */
  readonly askedKbIds: readonly string[];
}

/** Tokens of a language model. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** What the calls of a model used. */
export interface ModelTokens extends TokenUsage {
  readonly model: string;
}

/** An answer, complete or not. */
export interface Outcome {
  readonly content: string;
  readonly status: MessageStatus;
  readonly answered: boolean;
  /** What the answer begins with where a value was asked for; null with a language model. Not stored. */
  readonly answerValue: string | null;
  /** Null for an answer from documents. */
  readonly kind: AnswerKind | null;
  /** The number of documents of a list. Not stored. */
  readonly total?: number;
  readonly sources: SourceDto[];
  /** Passages that may help; null if the question is answered. */
  readonly related: SourceDto[] | null;
  /** See Message. */
  readonly contextDocumentIds: string[] | null;
  /** Null without a language model. */
  readonly grounded: boolean | null;
  /** See Message. */
  readonly confidence: number | null;
  /** Whether documents contradict each other; null for answers that quote nothing. */
  readonly conflict: boolean | null;
  readonly model: string;
  readonly finishReason: FinishReason | null;
  /** The tokens as the model reports them. */
  readonly usage: TokenUsage | null;
  /** The tokens that count, which are estimated if the model does not report them; null if none was asked. */
  readonly spent?: ModelTokens | null;
  /** Null while the answer is being written. */
  readonly latencyMs: number | null;
  /** How the answer came about; missing for one that is not stored. */
  readonly trace?: StoredTrace;
}

/** A question with its whole answer. */
export interface ConversationTurn {
  readonly question: string;
  readonly answer: string;
  /** The documents that the answer may have its text from; undefined for a turn sent by the client. */
  readonly documentIds?: readonly string[];
}

/** A stored question and its answer. */
export interface Exchange {
  readonly apiKey: ApiKeyPrincipal;
  readonly question: Question;
  readonly conversationId: string;
  readonly questionId: string;
  /** The id of the answer. */
  readonly messageId: string;
  /** The end user of the conversation; null when none was named. */
  readonly endUserId: string | null;
  /** The most tokens that it may use; undefined if no model is asked. */
  readonly expected: TokenUsage | undefined;
  /** Its reservations of budgets. */
  readonly holds: readonly Hold[];
  /** When the answer began. It is counted in the quarter hour of this time. */
  readonly at: Date;
}
