import { Logger } from '@nestjs/common';
import { APIError, type OpenAI } from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ModelConfig } from '../platform/config/config.js';
import type { FinishReason } from './conversations/message.entity.js';
import { openAiClient } from '../platform/model-endpoints/client.js';
import { CompletionLimit } from '../platform/model-endpoints/completion-limit.js';
import { describeFailure, getHost } from '../platform/model-endpoints/endpoint-failure.js';
import { ModelSpan } from '../platform/model-endpoints/model-span.js';
import { retryOnce } from '../platform/model-endpoints/retry-once.js';
import { Problem } from '../platform/problems/problem.js';
import { allowedModel } from '../knowledge-bases/settings/models.js';
import {
  AnswerGenerator,
  type Completion,
  type GenerationRequest,
  type ModelAnswer,
  type ModelCall,
  type PlanRequest,
  type SamplingOptions,
} from './answer-generator.js';
import { AnswerTimeouts } from './answer-timeouts.js';
import { estimateTokens, MAX_TOKENS } from './estimate-tokens.js';
import { toPlanMessages } from './plan-prompt.js';
import { newNoAnswerMark, listSecrets, toMessages } from './prompt.js';

/**
 * The size limit of a stream. Some models send a long reasoning before the answer, each token in its own
 * event.
 */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;
/** An answer with more characters than its tokens can have is cut: the model ignores its limit. */
const CHARACTERS_PER_TOKEN = 20;
const MIN_TOKENS = 1000;
const FINISH_REASONS: readonly string[] = [
  'stop',
  'length',
  'content_filter',
] satisfies FinishReason[];

/** Generates answers with a model behind any server that has OpenAI's chat completions API. */
export class OpenAiGenerator extends AnswerGenerator {
  private readonly logger = new Logger(OpenAiGenerator.name);
  private readonly client: OpenAI;
  private readonly limit = new CompletionLimit();
  /** Whether the provider rejects the API key, which is logged only once. */
  private isKeyRejected = false;

  constructor(
    private readonly config: ModelConfig,
    private readonly maxTokens: number,
  ) {
    super();
    this.client = openAiClient(config, {
      maxBytes: MAX_STREAM_BYTES,
      timeout: config.wholeAnswerMs,
    });
  }

  override chooseModel(model: string | null): string {
    // An evaluation keeps the settings it began with, whose model may no longer be allowed.
    return allowedModel(this.config, model) ?? this.config.model;
  }

  override generate(request: GenerationRequest): ModelAnswer {
    const noAnswerMark = newNoAnswerMark();
    return {
      ...this.call(request, toMessages(request, noAnswerMark, new Date()), request.sampling),
      wholeMs: this.config.wholeAnswerMs,
      noAnswerMark,
      secrets: listSecrets(request),
    };
  }

  override plan(request: PlanRequest): ModelCall {
    return this.call(request, toPlanMessages(request));
  }

  private call(
    request: Pick<GenerationRequest, 'model' | 'temperature'>,
    messages: ChatCompletionMessageParam[],
    { max_completion_tokens: requested, ...sampling }: SamplingOptions = {},
  ): ModelCall {
    const model = this.chooseModel(request.model);
    const body: ChatCompletionCreateParamsStreaming = {
      model,
      messages,
      ...(request.temperature !== null && { temperature: request.temperature }),
      ...sampling,
      stream: true,
      stream_options: { include_usage: true },
    };
    const maxTokens = Math.min(requested ?? this.maxTokens, this.maxTokens);
    return {
      model,
      expected: {
        promptTokens: estimateTokens(JSON.stringify(messages)),
        completionTokens: maxTokens,
      },
      pieces: (signal, deadline) => this.pieces(body, maxTokens, signal, deadline),
    };
  }

  private async *pieces(
    body: ChatCompletionCreateParamsStreaming,
    maxTokens: number,
    clientSignal: AbortSignal,
    deadline: number,
  ): AsyncGenerator<string | Completion> {
    const { model, temperature } = body;
    const { baseUrl } = this.config;
    const span = ModelSpan.start({ operation: 'chat', model, baseUrl, temperature });
    const wholeMs = Math.max(0, Math.round(deadline - performance.now()));
    const timeouts = new AnswerTimeouts(this.config.timeoutMs, wholeMs);
    const signal = AbortSignal.any([clientSignal, timeouts.signal]);
    try {
      const response = await timeouts.limit(
        retryOnce(
          () =>
            this.limit.apply(model, maxTokens, (limit) =>
              this.client.chat.completions.create(
                { ...body, ...limit },
                { signal, headers: span.headers },
              ),
            ),
          { timeoutMs: this.config.timeoutMs, signal },
        ),
      );
      this.isKeyRejected = false;
      const chunks = response[Symbol.asyncIterator]();
      let finishReason: FinishReason | undefined;
      let usage: Completion['usage'] = null;
      let charactersLeft = CHARACTERS_PER_TOKEN * Math.max(maxTokens, MIN_TOKENS);
      for (;;) {
        const next = await timeouts.limit(chunks.next());
        // The OpenAI client ends an aborted stream without an error, like a complete one.
        signal.throwIfAborted();
        if (next.done) break;
        usage = readUsage(next.value) ?? usage;
        // The last chunk contains the usage and no choice.
        const [choice] = next.value.choices;
        const { content } = choice?.delta ?? {};
        if (content) {
          span.receive();
          yield content.slice(0, charactersLeft);
          charactersLeft -= content.length;
        }
        if (choice?.finish_reason) finishReason = toFinishReason(choice.finish_reason);
        if (charactersLeft < 0) {
          finishReason = 'length';
          response.controller.abort();
          break;
        }
      }
      if (finishReason === undefined) throw new Error('The stream ended before the answer');
      span.complete(
        usage ? { input: usage.promptTokens, output: usage.completionTokens } : {},
        finishReason,
      );
      yield { finishReason, usage };
    } catch (error) {
      span.fail(error);
      if (clientSignal.aborted) throw clientSignal.reason;
      if (timeouts.signal.aborted) {
        const { message } = timeouts.signal.reason as Error;
        this.logger.warn(`The model at ${getHost(this.config)} ${message}`);
        throw new Problem('model_timeout');
      }
      this.logProviderError(error);
      throw new Problem('model_unavailable');
    } finally {
      timeouts.end();
      span.end();
    }
  }

  /** A rejected API key is logged once until it is accepted again. */
  private logProviderError(error: unknown): void {
    const status = error instanceof APIError ? (error.status as number | undefined) : undefined;
    const failure = `The model at ${describeFailure(error, { ...this.config, variables: 'LLM' })}`;
    if (status !== 401 && status !== 403) this.logger.warn(failure);
    else if (!this.isKeyRejected) {
      this.isKeyRejected = true;
      this.logger.error(failure);
    }
  }
}

function readUsage({ usage }: ChatCompletionChunk): Completion['usage'] {
  const isCount = (count: unknown): count is number =>
    Number.isInteger(count) && Number(count) >= 0 && Number(count) <= MAX_TOKENS;
  if (!isCount(usage?.prompt_tokens) || !isCount(usage.completion_tokens)) return null;
  return { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
}

const toFinishReason = (reason: string) =>
  FINISH_REASONS.includes(reason) ? (reason as FinishReason) : 'other';
