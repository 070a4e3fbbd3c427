import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { TokenUsage, ConversationTurn } from './conversations/exchange.js';
import type { FinishReason } from './conversations/message.entity.js';
import type { SecretText } from './prompt-leak.js';
import type { ModelPassage } from './prompt.js';

export interface GenerationRequest {
  readonly question: string;
  /** The sources, best first; the first is cited as `[1]`. */
  readonly passages: readonly ModelPassage[];
  /** Earlier questions and answers, oldest first. */
  readonly history: readonly ConversationTurn[];
  /** The knowledge base's own instructions. */
  readonly systemPrompt: string | null;
  /** Null for the model's default. */
  readonly temperature: number | null;
  /** Null for the model that the operator configured. */
  readonly model: string | null;
  /** Sampling options of this request. */
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

/** The end of a generation. */
export interface Completion {
  readonly finishReason: FinishReason;
  readonly usage: TokenUsage | null;
}

/** What further searches are planned from; see `toPlanMessages`. */
export interface PlanRequest extends Omit<GenerationRequest, 'systemPrompt' | 'sampling'> {
  /** The texts that were searched for. */
  readonly searched: readonly string[];
}

/** One call of the model. */
export interface ModelCall {
  readonly model: string;
  /** The most tokens that it can use; those of the prompt are an estimate. */
  readonly expected: TokenUsage;
  /**
   * Asks the model. Yields the text in pieces, and the completion last; if the stream ends without a
   * completion, the text is incomplete.
   *
   * @param deadline when it must be complete, as `performance.now()` has it
   * @throws Problem `model_unavailable` or `model_timeout`, or the reason of the signal
   */
  pieces(signal: AbortSignal, deadline: number): AsyncIterable<string | Completion>;
}

/** An answer that is streamed from the model. */
export interface ModelAnswer extends ModelCall {
  /** How long the whole answer may take, with all searches that the model plans for it. */
  readonly wholeMs: number;
  /** What the model replies if the passages do not contain the answer. */
  readonly noAnswerMark: string;
  /** Texts of the prompt that the answer must not repeat. */
  readonly secrets: readonly SecretText[];
}

/** A language model. OpenAiGenerator is loaded only if a model is configured: its library is large. */
export abstract class AnswerGenerator {
  /** The model that answers for a knowledge base's choice; null if it made none. */
  abstract chooseModel(model: string | null): string;

  abstract generate(request: GenerationRequest): ModelAnswer;

  /** Asks what to search for besides what was found; `readPlan` reads the reply. */
  abstract plan(request: PlanRequest): ModelCall;
}
