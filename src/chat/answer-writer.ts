import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { ApiKeyWatch } from '../api-keys/api-key-watch.js';
import { ExchangeRecorder } from './conversations/exchange-recorder.js';
import type { Exchange, Outcome } from './conversations/exchange.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { Problem } from '../platform/problems/problem.js';
import type { CompleteAnswer, StreamedAnswer } from './answer-generator.js';
import {
  type ChatEvent,
  delta,
  messageEnd,
  messageStart,
  NOT_KEPT,
  sourcesEvent,
} from './chat-event.js';
import { checkedText, type Ending } from './checked-text.js';

/** A longer answer is cut off and recorded as `failed`, because a model may never stop. */
const MAX_ANSWER_LENGTH = 200_000;

/** An answer that a model has not written yet. It is recorded as `failed` until it is complete. */
export interface PendingAnswer {
  /** Undefined for an answer that is not stored. */
  readonly exchange: Exchange | undefined;
  readonly answer: StreamedAnswer;
  /** The outcome that is recorded before the model is asked. */
  readonly outcome: Outcome;
  /** Whether the search was ended by its time limit. */
  readonly partial: boolean;
  readonly refusalText: string;
  /** Whether the client receives the text as a stream. */
  readonly streamed: boolean;
  /** Generates the answer when the model fails; undefined lets the request fail. */
  readonly fallback: (() => CompleteAnswer) | undefined;
  readonly startedAt: number;
  /** Aborted when the client disconnects. */
  readonly clientSignal: AbortSignal;
}

/**
 * Streams an answer of a model. The outcome is recorded before the client receives the last event. No
 * database connection is held while the model writes.
 */
@Injectable()
export class AnswerWriter implements OnApplicationShutdown {
  private readonly logger = new Logger(AnswerWriter.name);
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly recorder: ExchangeRecorder,
    private readonly apiKeyWatch: ApiKeyWatch,
    private readonly metrics: Metrics,
  ) {}

  /** Waits until answers that the shutdown has interrupted are recorded. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.running);
  }

  /**
   * The caller must read all events. They end soon after the client disconnects or the key is revoked.
   *
   * @throws Problem while the events are read
   */
  async *write(pending: PendingAnswer): AsyncGenerator<ChatEvent> {
    const { exchange, outcome } = pending;
    const ids = exchange ?? NOT_KEPT;
    const watch = exchange && this.apiKeyWatch.watch(exchange.apiKey.id);
    const signal = AbortSignal.any([pending.clientSignal, ...(watch ? [watch.signal] : [])]);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.running.add(promise);
    const stopTimer = this.metrics.models.startTimer();
    let modelStatus: 'complete' | 'aborted' | 'failed' = 'failed';
    let content = '';
    const outcomeWith = (change: Partial<Outcome>): Outcome => ({
      ...outcome,
      content,
      latencyMs: Math.round(performance.now() - pending.startedAt),
      ...change,
    });
    try {
      yield messageStart(ids);
      yield sourcesEvent(outcome.sources);
      let ending: (Ending & { model?: string }) | undefined;
      const pieces = pending.answer.pieces(signal);
      const { length } = outcome.sources;
      try {
        for await (const piece of checkedText(pieces, length, pending.refusalText)) {
          if (typeof piece === 'object') ending = piece;
          else if ((content += piece).length > MAX_ANSWER_LENGTH) break;
          else yield delta(piece);
        }
        if (!ending || content === '') throw new Problem('model_unavailable');
        modelStatus = 'complete';
      } catch (error) {
        const isSent = pending.streamed && content !== '';
        if (!pending.fallback || isSent || signal.aborted || !isModelFailure(error)) throw error;
        const { model, text } = pending.fallback();
        this.logger.warn(`The model failed (${error.code}); the answer is quoted instead`);
        this.metrics.modelFallbacks.inc();
        content = text ?? pending.refusalText;
        ending = { model, answered: text !== undefined, finishReason: 'stop', usage: null };
        yield delta(content);
      }
      const sources = ending.answered ? outcome.sources : [];
      const complete = outcomeWith({ status: 'complete', ...ending, sources });
      if (exchange) await this.recorder.finish(exchange, complete);
      yield messageEnd(ids, complete, pending.partial);
    } catch (error) {
      const status = signal.aborted ? 'aborted' : 'failed';
      modelStatus = status;
      // A request that is rejected after it began, for a revoked key, is not counted as a use.
      const counts = !(signal.reason instanceof Problem);
      if (exchange) {
        await this.recorder
          .finish(exchange, outcomeWith({ status }), counts)
          .catch((failure: unknown) => {
            this.logger.error(failure);
          });
      }
      throw error;
    } finally {
      stopTimer({ status: modelStatus });
      watch?.stop();
      this.running.delete(promise);
      resolve(undefined);
    }
  }
}

const isModelFailure = (error: unknown): error is Problem =>
  error instanceof Problem && ['model_unavailable', 'model_timeout'].includes(error.code);
