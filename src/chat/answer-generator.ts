import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Turn } from './conversations/exchange.js';
import type { FinishReason } from './conversations/message.entity.js';
import type { Passage } from '@latchkey/ranking/search-index';

export interface GenerationRequest {
  readonly question: string;
  /** The sources, best first; the first is cited as `[1]`. Empty if nothing relevant was found. */
  readonly passages: readonly Passage[];
  /** The sentences of the passages that answer the question; undefined where there are none. */
  readonly quotation: string | undefined;
  /** Earlier questions and answers, oldest first. */
  readonly history: readonly Turn[];
  /** The knowledge base's own instructions. */
  readonly systemPrompt: string | null;
  /** Null for the model's default. */
  readonly temperature: number | null;
  /** Null for the model that the operator configured. */
  readonly model: string | null;
  /** Overrides for this request; only a language model uses them. */
  readonly sampling?: SamplingOptions | undefined;
}

/** Named as in OpenAI's chat completions. */
export type SamplingOptions = Pick<
  ChatCompletionCreateParamsStreaming,
  | 'temperature'
  | 'top_p'
  | 'max_completion_tokens'
  | 'stop'
  | 'seed'
  | 'frequency_penalty'
  | 'presence_penalty'
>;

/** How a generation ended. */
export interface Completion {
  readonly finishReason: FinishReason;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | null;
}

/** An answer that is complete when the generator returns it. */
export interface CompleteAnswer {
  readonly model: string;
  /** Undefined when nothing relevant was found. */
  readonly text: string | undefined;
}

/** An answer that is streamed from the model. */
export interface StreamedAnswer {
  readonly model: string;
  /**
   * Asks the model. Yields the text in pieces, and the completion last; if the stream ends without a
   * completion, the answer is incomplete.
   *
   * @throws Problem `model_unavailable` or `model_timeout`, or the reason of the signal
   */
  pieces(signal: AbortSignal): AsyncIterable<string | Completion>;
}

export abstract class AnswerGenerator {
  abstract generate(request: GenerationRequest): CompleteAnswer | StreamedAnswer;
}
