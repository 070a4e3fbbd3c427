import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { APIConnectionError, APIError, type OpenAI } from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import type { ModelConfig } from '../config/config.js';
import type { FinishReason } from '../conversations/message.entity.js';
import { Problem } from '../problems/problem.js';
import { openAiClient } from '../model-endpoints/client.js';
import { describeFailure, hostOf } from '../model-endpoints/endpoint-failure.js';
import {
  AnswerGenerator,
  type Completion,
  type GenerationRequest,
  type ReadyAnswer,
  type UnwrittenAnswer,
} from './answer-generator.js';
import { toMessages } from './prompt.js';

/** How much longer than it may be silent a model may take for all of an answer. */
const WHOLE_ANSWER_FACTOR = 10;
const ATTEMPTS = 2;
const RETRY_PAUSE_MS = 500;
/** What the database's columns hold. */
const MAX_TOKENS = 2 ** 31 - 1;
const FINISH_REASONS: readonly string[] = [
  'stop',
  'length',
  'content_filter',
] satisfies FinishReason[];

/** Answers by a model behind any server that speaks OpenAI's chat completions. */
export class OpenAiGenerator extends AnswerGenerator {
  private readonly logger = new Logger(OpenAiGenerator.name);
  private readonly client: OpenAI;
  private refused = false;

  constructor(private readonly config: ModelConfig) {
    super();
    // When to try again and how long to wait is ours to say; see connect() and Patience.
    this.client = openAiClient(config, WHOLE_ANSWER_FACTOR * config.timeoutMs);
  }

  override generate(request: GenerationRequest): ReadyAnswer | UnwrittenAnswer {
    const model = request.model ?? this.config.model;
    if (request.passages.length === 0) return { model, text: undefined };
    const body: ChatCompletionCreateParamsStreaming = {
      model,
      messages: toMessages(request),
      ...(request.temperature !== null && { temperature: request.temperature }),
      stream: true,
      stream_options: { include_usage: true },
    };
    return { model, pieces: (signal) => this.pieces(body, signal) };
  }

  private async *pieces(
    body: ChatCompletionCreateParamsStreaming,
    signal: AbortSignal,
  ): AsyncGenerator<string | Completion> {
    const patience = new Patience(this.config.timeoutMs);
    const either = AbortSignal.any([signal, patience.signal]);
    try {
      const chunks = (await patience.with(this.connect(body, either)))[Symbol.asyncIterator]();
      this.refused = false;
      let finishReason: FinishReason | undefined;
      let usage: Completion['usage'] = null;
      for (;;) {
        const next = await patience.with(chunks.next());
        // The client ends its stream without a word when it is aborted.
        either.throwIfAborted();
        if (next.done) break;
        usage = usageOf(next.value) ?? usage;
        // The last one, with the usage, has none.
        const [choice] = next.value.choices;
        if (choice?.delta.content) yield choice.delta.content;
        if (choice?.finish_reason) finishReason = toFinishReason(choice.finish_reason);
      }
      if (finishReason === undefined) throw new Error('The stream ended before the answer');
      yield { finishReason, usage };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (patience.signal.aborted) {
        this.logger.warn(`The model at ${hostOf(this.config)} ${patience.exceeded}`);
        throw new Problem('model_timeout');
      }
      this.logProviderError(error);
      throw new Problem('model_unavailable');
    } finally {
      patience.end();
    }
  }

  /** Tries once more where that may help, if there is time for it. */
  private async connect(body: ChatCompletionCreateParamsStreaming, signal: AbortSignal) {
    const deadline = performance.now() + this.config.timeoutMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.client.chat.completions.create(body, { signal });
      } catch (error) {
        const wait = pauseAfter(error);
        const inTime = wait !== undefined && performance.now() + wait < deadline;
        if (!inTime || attempt === ATTEMPTS || signal.aborted) throw error;
        await pause(wait, undefined, { signal });
      }
    }
  }

  /** A refused API key is logged once until it is accepted again. */
  private logProviderError(error: unknown): void {
    const status = error instanceof APIError ? (error.status as number | undefined) : undefined;
    const failure = `The model at ${describeFailure(error, { ...this.config, variables: 'LLM' })}`;
    if (status !== 401 && status !== 403) this.logger.warn(failure);
    else if (!this.refused) {
      this.refused = true;
      this.logger.error(failure);
    }
  }
}

/** How long a provider may keep us waiting: for each piece, and for all of them. */
class Patience {
  /** What was waited for in vain. */
  exceeded = '';
  private readonly silence = new AbortController();
  private readonly whole: NodeJS.Timeout;

  constructor(private readonly silenceMs: number) {
    const wholeMs = WHOLE_ANSWER_FACTOR * silenceMs;
    this.whole = this.abortAfter(wholeMs, `gave no whole answer within ${wholeMs} ms`);
  }

  get signal(): AbortSignal {
    return this.silence.signal;
  }

  /** Only the provider's own time counts, not that of a client who is slow to read. */
  async with<T>(waiting: Promise<T>): Promise<T> {
    const timer = this.abortAfter(this.silenceMs, `was silent for ${this.silenceMs} ms`);
    try {
      return await waiting;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends whatever is still going on. */
  end(): void {
    clearTimeout(this.whole);
    this.silence.abort();
  }

  private abortAfter(ms: number, exceeded: string): NodeJS.Timeout {
    return setTimeout(() => {
      this.exceeded = exceeded;
      this.silence.abort();
    }, ms);
  }
}

/** Milliseconds until another try may help; undefined where none will. */
function pauseAfter(error: unknown): number | undefined {
  if (error instanceof APIConnectionError) return RETRY_PAUSE_MS;
  if (!(error instanceof APIError)) return undefined;
  const status = error.status as number | undefined;
  if (status === undefined || (status !== 429 && status < 500)) return undefined;
  const header = (error.headers as Headers | undefined)?.get('retry-after');
  if (!header) return RETRY_PAUSE_MS;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? RETRY_PAUSE_MS : Math.max(0, ms);
}

function usageOf({ usage }: ChatCompletionChunk): Completion['usage'] {
  const isCount = (count: unknown): count is number =>
    Number.isInteger(count) && Number(count) >= 0 && Number(count) <= MAX_TOKENS;
  if (!isCount(usage?.prompt_tokens) || !isCount(usage.completion_tokens)) return null;
  return { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
}

const toFinishReason = (told: string) =>
  FINISH_REASONS.includes(told) ? (told as FinishReason) : 'other';
