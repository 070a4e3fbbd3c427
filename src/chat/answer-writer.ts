import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { ApiKeyWatch } from '../api-keys/api-key-watch.js';
import {
  type Exchange,
  ExchangeRecorder,
  type Outcome,
} from '../conversations/exchange-recorder.js';
import { Problem } from '../problems/problem.js';
import { Metrics } from '../metrics/metrics.js';
import type { CompleteAnswer, StreamedAnswer } from './answer-generator.js';
import { ChatEvent, delta, messageEnd, messageStart, sourcesFound } from './chat-event.js';
import { checkedText, type Ending } from './checked-text.js';

/** What no answer comes to: a model that does not stop. */
const MAX_ANSWER_LENGTH = 200_000;

/** An answer that has been recorded as begun. */
export interface BegunAnswer {
  readonly exchange: Exchange;
  readonly answer: StreamedAnswer;
  /** As it was recorded. */
  readonly outcome: Outcome;
  /** Whether its search was ended by the time limit. */
  readonly partial: boolean;
  readonly refusalText: string;
  /** Whether the client is sent the text piece by piece. */
  readonly streamed: boolean;
  /** What is answered where the model fails; undefined lets the failure be one. */
  readonly fallback: (() => Promise<CompleteAnswer>) | undefined;
  readonly startedAt: number;
  /** Aborted when the client leaves. */
  readonly left: AbortSignal;
}

/**
 * Has an answer written and keeps what becomes of it, whichever way it ends, before the client is
 * told. No connection to the database is held meanwhile.
 */
@Injectable()
export class AnswerWriter implements OnApplicationShutdown {
  private readonly logger = new Logger(AnswerWriter.name);
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly recorder: ExchangeRecorder,
    private readonly apiKeyWatch: ApiKeyWatch,
    private readonly metrics: Metrics,
  ) {}

  /** Those whose connections the stop has closed are still to be kept. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /**
   * Must be read to its end: it ends by itself soon after the client has left or the key has lost
   * its right.
   *
   * @throws Problem in the midst of it
   */
  async *write(begun: BegunAnswer): AsyncGenerator<ChatEvent> {
    const { exchange, outcome } = begun;
    const watch = this.apiKeyWatch.watch(exchange.apiKey.id);
    const signal = AbortSignal.any([begun.left, watch.signal]);
    let done!: () => void;
    const finished = new Promise<void>((resolve) => (done = resolve));
    this.underWay.add(finished);
    const stopTimer = this.metrics.models.startTimer();
    let modelStatus: 'complete' | 'aborted' | 'failed' = 'failed';
    let content = '';
    const so = (change: Partial<Outcome>): Outcome => ({
      ...outcome,
      content,
      latencyMs: Math.round(performance.now() - begun.startedAt),
      ...change,
    });
    try {
      yield messageStart(exchange);
      yield sourcesFound(outcome.sources);
      let ending: (Ending & { model?: string }) | undefined;
      const pieces = begun.answer.pieces(signal);
      const { length } = outcome.sources;
      try {
        for await (const piece of checkedText(pieces, length, begun.refusalText)) {
          if (typeof piece === 'object') ending = piece;
          else if ((content += piece).length > MAX_ANSWER_LENGTH) break;
          else yield delta(piece);
        }
        // A model that says nothing has not answered.
        if (!ending || content === '') throw new Problem('model_unavailable');
        modelStatus = 'complete';
      } catch (error) {
        const isSent = begun.streamed && content !== '';
        if (!begun.fallback || isSent || signal.aborted || !isModelFailure(error)) throw error;
        const { model, text } = await begun.fallback();
        // Meanwhile the client may have left, or the key have been revoked.
        signal.throwIfAborted();
        this.logger.warn(`The model failed (${error.code}); the answer is quoted instead`);
        this.metrics.modelFallbacks.inc();
        content = text ?? begun.refusalText;
        ending = { model, answered: text !== undefined, finishReason: 'stop', usage: null };
        yield delta(content);
      }
      const sources = ending.answered ? outcome.sources : [];
      const whole = so({ status: 'complete', ...ending, sources });
      await this.recorder.finish(exchange, whole);
      yield messageEnd(exchange, whole, begun.partial);
    } catch (error) {
      const status = signal.aborted ? 'aborted' : 'failed';
      modelStatus = status;
      // What is refused is no use of the key.
      const counts = !(signal.reason instanceof Problem);
      await this.recorder.finish(exchange, so({ status }), counts).catch((failure: unknown) => {
        this.logger.error(failure);
      });
      throw error;
    } finally {
      stopTimer({ status: modelStatus });
      watch.stop();
      this.underWay.delete(finished);
      done();
    }
  }
}

const isModelFailure = (error: unknown): error is Problem =>
  error instanceof Problem && ['model_unavailable', 'model_timeout'].includes(error.code);
