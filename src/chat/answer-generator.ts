import type { FinishReason } from '../conversations/message.entity.js';
import type { Turn } from '../conversations/exchange.js';
import type { Passage } from '../search/search-index.js';

export interface GenerationRequest {
  readonly question: string;
  /** The sources, best first; the first is `[1]`. */
  readonly passages: readonly Passage[];
  /** What was said before, oldest first. */
  readonly history: readonly Turn[];
  /** The knowledge base's own instructions. */
  readonly systemPrompt: string | null;
  /** Null leaves it to the model. */
  readonly temperature: number | null;
  /** Null takes the operator's choice. */
  readonly model: string | null;
}

/** How a generation ended. */
export interface Completion {
  readonly finishReason: FinishReason;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | null;
}

/** An answer that is there at once. */
export interface ReadyAnswer {
  readonly model: string;
  /** Undefined when nothing relevant was found. */
  readonly text: string | undefined;
}

/** An answer that is still to be written. */
export interface UnwrittenAnswer {
  readonly model: string;
  /**
   * The text piece by piece, and at last how it ended: without that it is no whole answer.
   *
   * @throws Problem `model_unavailable` or `model_timeout`, or the reason of the signal
   */
  pieces(signal: AbortSignal): AsyncIterable<string | Completion>;
}

/** Writes answers. */
export abstract class AnswerGenerator {
  /** Nothing is asked of anybody before the pieces are asked for. */
  abstract generate(
    request: GenerationRequest,
  ): ReadyAnswer | UnwrittenAnswer | Promise<ReadyAnswer>;
}
