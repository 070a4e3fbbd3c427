import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { ApiKeyWatch } from '../api-keys/api-key-watch.js';
import {
  type Exchange,
  ExchangeRecorder,
  type Outcome,
} from '../conversations/exchange-recorder.js';
import { Problem } from '../http/problem.js';
import { Metrics } from '../metrics/metrics.js';
import type { UnwrittenAnswer } from './answer-generator.js';
import { ChatEvent, delta, messageEnd, messageStart, sourcesFound } from './chat-event.js';
import { checkedText, type Ending } from './checked-text.js';

/** What no answer comes to: a model that does not stop. */
const MAX_ANSWER_LENGTH = 200_000;

/** An answer that has been recorded as begun. */
export interface BegunAnswer {
  readonly exchange: Exchange;
  readonly answer: UnwrittenAnswer;
  /** As it was recorded. */
  readonly outcome: Outcome;
  /** Whether its search was ended by the time limit. */
  readonly partial: boolean;
  readonly refusalText: string;
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
      let ending: Ending | undefined;
      const pieces = begun.answer.pieces(signal);
      const { length } = outcome.sources;
      for await (const piece of checkedText(pieces, length, begun.refusalText)) {
        if (typeof piece === 'object') ending = piece;
        else if ((content += piece).length > MAX_ANSWER_LENGTH) break;
        else yield delta(piece);
      }
      // A model that says nothing has not answered.
      if (!ending || content.trim() === '') throw new Problem('model_unavailable');
      const whole = so({ status: 'complete', ...ending });
      await this.recorder.finish(exchange, whole);
      stopTimer({ status: 'complete' });
      yield messageEnd(exchange, whole, begun.partial);
    } catch (error) {
      const status = signal.aborted ? 'aborted' : 'failed';
      stopTimer({ status });
      // What is refused is no use of the key.
      const counts = !(signal.reason instanceof Problem);
      await this.recorder.finish(exchange, so({ status }), counts).catch((failure: unknown) => {
        this.logger.error(failure);
      });
      throw error;
    } finally {
      watch.stop();
      this.underWay.delete(finished);
      done();
    }
  }
}
