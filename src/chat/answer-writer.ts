import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import type { SearchScope } from '@latchkey/ranking/search-index';
import { ExchangeRecorder } from './conversations/exchange-recorder.js';
import type { Exchange, Outcome } from './conversations/exchange.js';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { Problem } from '../platform/problems/problem.js';
import type { PendingAnswer } from './answering.js';
import { AnswerWatch, toWatched, type WatchedAnswer } from './answer-watch.js';
import {
  type AnswerEvent,
  delta,
  messageEnd,
  messageStart,
  NOT_KEPT,
  relatedEvents,
  sourcesEvent,
} from './chat-event.js';
import { checkedText, type Ending } from './checked-text.js';
import { isGrounded } from './grounded.js';
import { answerParts } from './outcome.js';
import { MAX_RELATED, withCited } from './to-source.js';

/** A longer answer is cut off and recorded as `failed`, because a model might never stop. */
const MAX_ANSWER_LENGTH = 200_000;

/** An answer to write, and its asker. It is recorded as `failed` until it is complete. */
interface Writing {
  /** Undefined for an answer that is not stored. */
  readonly exchange: Exchange | undefined;
  readonly answer: PendingAnswer;
  readonly kbId: string;
  /** The dashboard user who asks; undefined for every other asker. */
  readonly user?: DashboardUser | undefined;
  /** The documents that were searched. */
  readonly scope: SearchScope;
  /** The outcome that is recorded before the model is asked. */
  readonly outcome: Outcome;
  /** Whether the search reached its time limit. */
  readonly partial: boolean;
  readonly refusalText: string;
  /** Whether the client receives the text as a stream. */
  readonly streamed: boolean;
  readonly startedAt: number;
  /** Aborted when the client disconnects. */
  readonly clientSignal: AbortSignal;
}

/**
 * Streams the answer of a model. The outcome is recorded before the client receives the last event. No
 * database connection is held while the model writes.
 */
@Injectable()
export class AnswerWriter implements OnApplicationShutdown {
  private readonly logger = new Logger(AnswerWriter.name);
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly recorder: ExchangeRecorder,
    private readonly metrics: Metrics,
    private readonly watch: AnswerWatch,
  ) {}

  /** Waits until the answers interrupted by the shutdown are recorded. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.running);
  }

  /**
   * Writes an answer. The caller must read all events. They end soon after the client disconnects or the
   * question would be refused; see AnswerWatch.
   *
   * @throws Problem while the events are read
   */
  async *write(writing: Writing): AsyncGenerator<AnswerEvent> {
    const { exchange, outcome, answer, refusalText } = writing;
    const ids = exchange ?? NOT_KEPT;
    const { kbId, scope, user } = writing;
    const asked = exchange && { apiKey: exchange.apiKey, kbIds: exchange.question.askedKbIds };
    const watched = toWatched({ kbId, scope, asked, user }, outcome);
    const watch = this.watch.watch(watched);
    const signal = AbortSignal.any([writing.clientSignal, watch.signal]);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.running.add(promise);
    const stopTimer = this.metrics.models.startTimer();
    let modelStatus: 'complete' | 'aborted' | 'failed' = 'failed';
    let content = '';
    const outcomeWith = (change: Partial<Outcome>): Outcome => ({
      ...outcome,
      content,
      latencyMs: Math.round(performance.now() - writing.startedAt),
      ...change,
    });
    try {
      await watch.require();
      yield messageStart(ids);
      yield sourcesEvent(outcome.sources);
      let change: Partial<Outcome> | undefined;
      try {
        const { noAnswerMark, secrets } = answer;
        const checks = { sources: outcome.sources.length, noAnswerMark, secrets };
        for await (const piece of checkedText(answer.pieces(signal), checks)) {
          if (typeof piece === 'object')
            change = await decideOutcome(watched, answer, content, piece);
          else if ((content += piece).length > MAX_ANSWER_LENGTH) break;
          else yield delta(piece);
        }
        if (!change) throw new Problem('model_unavailable');
        modelStatus = 'complete';
      } catch (error) {
        const isSent = writing.streamed && content !== '';
        if (!answer.fallsBack || isSent || signal.aborted || !isModelFailure(error)) throw error;
        change = answerParts(await answer.quote(), refusalText);
        change = { ...change, finishReason: 'stop', usage: null };
        this.logger.warn(`The model failed (${error.code}); the answer is quoted instead`);
        this.metrics.modelFallbacks.inc();
        content = '';
      }
      const rest = change.answered ? (change.content ?? '') : refusalText;
      // An answer that was cut off because it repeats its instructions already contains text.
      const separated = content !== '' && rest !== '' ? `\n\n${rest}` : rest;
      content += separated;
      if (separated !== '') yield delta(separated);
      await watch.require();
      const complete = outcomeWith({ ...change, status: 'complete', content });
      if (exchange) await this.recorder.finish(exchange, complete);
      yield* relatedEvents(complete.related);
      yield messageEnd(ids, complete, writing.partial);
    } catch (error) {
      const status = signal.aborted ? 'aborted' : 'failed';
      modelStatus = status;
      // A request that is rejected after it began, because its key was revoked, does not count as a use.
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
      watch.stop();
      this.running.delete(promise);
      resolve(undefined);
    }
  }
}

/** Decides the outcome from the text that the model completed. */
async function decideOutcome(
  { documentIds }: WatchedAnswer,
  answer: PendingAnswer,
  content: string,
  { answered, finishReason, usage }: Ending,
): Promise<Partial<Outcome>> {
  if (answered) {
    if (content === '') throw new Problem('model_unavailable');
    const sources = withCited(answer.sources, content);
    const cited = answer.passages.filter((_, position) => sources[position]?.cited);
    return { answered, finishReason, usage, sources, grounded: isGrounded(content, cited) };
  }
  // If no helpful place is known, the best passages of the search are shown.
  const related = await answer.quote().then(
    (quoted) => quoted.related,
    () => answer.sources.slice(0, MAX_RELATED),
  );
  // Text that was sent before the answer was cut off may come from its sources, which it does not show.
  const told = content === '' ? {} : { toldDocumentIds: [...new Set(documentIds)] };
  return { answered, finishReason, usage, sources: [], related, ...told };
}

const isModelFailure = (error: unknown): error is Problem =>
  error instanceof Problem && ['model_unavailable', 'model_timeout'].includes(error.code);
