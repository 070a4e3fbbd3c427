import type { ApiKeyPrincipal } from '../api-keys/api-key-verifier.js';
import type { FinishReason, MessageStatus } from './message.entity.js';
import type { SourceDto } from './source.dto.js';

export interface Question {
  /** Undefined begins a conversation. */
  readonly conversationId: string | undefined;
  readonly endUserId: string | null;
  readonly content: string;
  readonly askedAt: Date;
}

/** What a language model counted. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** An answer, or what there is of it. */
export interface Outcome {
  readonly content: string;
  readonly status: MessageStatus;
  readonly answered: boolean;
  readonly sources: SourceDto[];
  readonly model: string;
  readonly finishReason: FinishReason | null;
  readonly usage: TokenUsage | null;
  /** Null while the answer is being given. */
  readonly latencyMs: number | null;
}

/** A question with its whole answer. */
export interface Turn {
  readonly question: string;
  readonly answer: string;
}

/** A question and the answer to it, under their ids. */
export interface Exchange {
  readonly apiKey: ApiKeyPrincipal;
  readonly question: Question;
  readonly conversationId: string;
  readonly questionId: string;
  /** Of the answer. */
  readonly messageId: string;
  /** The end user of the conversation; null when none was named. */
  readonly endUserId: string | null;
  /** When the answer was begun, which is when it counts. */
  readonly at: Date;
}
