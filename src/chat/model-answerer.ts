import { Inject, Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { NeighbouringPassages } from '../documents/neighbouring-passages.js';
import { EXTRACTIVE } from '../knowledge-bases/settings/models.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { Problem } from '../platform/problems/problem.js';
import { addNeighbours } from './add-neighbours.js';
import { AnswerGenerator, type ModelAnswer, type SamplingOptions } from './answer-generator.js';
import { type Asker, AnswerWatch, toWatched, type WatchedAnswer } from './answer-watch.js';
import {
  type AnswerEvent,
  delta,
  messageEnd,
  messageStart,
  NOT_STORED,
  relatedEvents,
  type SearchFacts,
  sourcesEvent,
} from './chat-event.js';
import { checkedText, type Ending } from './checked-text.js';
import type { CompleteAnswer } from './compose-answer.js';
import { ConversationStore } from './conversations/conversation-store.js';
import type { Exchange, Outcome, ConversationTurn } from './conversations/exchange.js';
import type { SourceDto } from './conversations/source.dto.js';
import { ExtractiveAnswerer, type FoundMessage } from './extractive-answerer.js';
import { isGrounded } from './grounded.js';
import { answerParts } from './outcome.js';
import type { ModelPassage } from './prompt.js';
import { MAX_RELATED, toSources, withCited } from './to-source.js';

/** A longer answer is cut off and recorded as `failed`, because a model might never stop. */
const MAX_ANSWER_LENGTH = 200_000;

/** How many of the best passages the model gets together with the texts around them. */
const WITH_NEIGHBOURS = 2;

/** An answer that a model has yet to write. */
export interface PendingAnswer extends ModelAnswer {
  readonly passages: readonly ModelPassage[];
  readonly sources: SourceDto[];
  /** Whether the passages are quoted if the model fails. */
  readonly fallsBack: boolean;
  /** Quotes an answer from the passages, without the model. */
  quote(): Promise<CompleteAnswer>;
}

/** An answer to write, and its asker. It is recorded as `failed` until it is complete. */
interface Writing extends SearchFacts {
  readonly asker: Asker;
  /** Undefined for an answer that is not stored. */
  readonly exchange: Exchange | undefined;
  readonly answer: PendingAnswer;
  /** The outcome that is recorded before the model is asked. */
  readonly outcome: Outcome;
  readonly refusalText: string;
  /** Whether the client receives the text as a stream. */
  readonly streamed: boolean;
  readonly startedAt: number;
  /** Aborted when the client disconnects. */
  readonly clientSignal: AbortSignal;
}

/**
 * Answers by a language model, which decides itself whether the passages answer the question. The outcome is
 * recorded before the client receives the last event. No database connection is held while the model writes.
 */
@Injectable()
export class ModelAnswerer implements OnApplicationShutdown {
  private readonly logger = new Logger(ModelAnswerer.name);
  private readonly running = new Set<Promise<void>>();

  constructor(
    @Inject(AnswerGenerator) private readonly generator: AnswerGenerator | null,
    private readonly neighbours: NeighbouringPassages,
    private readonly extractive: ExtractiveAnswerer,
    private readonly conversations: ConversationStore,
    private readonly metrics: Metrics,
    private readonly watch: AnswerWatch,
  ) {}

  /** Whether a language model answers. */
  isUsed({ model }: Pick<Settings, 'model'>): boolean {
    return this.generator !== null && model !== EXTRACTIVE;
  }

  /**
   * Prepares the answer of the model, which `write` then asks. Without passages it is complete.
   *
   * @param history the earlier turns that the model gets, oldest first
   * @returns undefined if no model is used
   */
  async prepare(
    asked: FoundMessage,
    history: readonly ConversationTurn[],
    sampling: SamplingOptions | undefined,
  ): Promise<CompleteAnswer | PendingAnswer | undefined> {
    const { message: question, found, settings } = asked;
    const { generator } = this;
    if (generator === null || settings.model === EXTRACTIVE) return undefined;
    if (found.passages.length === 0) {
      const model = generator.chooseModel(settings.model);
      return {
        ...{ model, text: undefined, value: null },
        ...{ hasOpenQuestion: false, sources: [], related: [] },
      };
    }
    const best = found.passages.slice(0, WITH_NEIGHBOURS).map(({ passageId }) => passageId);
    const passages = addNeighbours(found.passages, await this.neighbours.findNeighbours(best));
    return {
      ...generator.generate({ ...settings, question, passages, history, sampling }),
      passages,
      sources: toSources(found.passages),
      fallsBack: settings.fallbackToExtractive,
      quote: () => this.extractive.answer(asked),
    };
  }

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
    const ids = exchange ?? NOT_STORED;
    const watched = toWatched(writing.asker, outcome);
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
          if (typeof piece === 'object') {
            // What nobody has received yet is no part of a refusal.
            if (!piece.answered && !writing.streamed) content = '';
            change = await decideOutcome(watched, answer, content, piece);
          } else if ((content += piece).length > MAX_ANSWER_LENGTH) break;
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
      if (exchange) await this.conversations.finish(exchange, complete);
      yield* relatedEvents(complete.related);
      yield messageEnd(ids, complete, writing);
    } catch (error) {
      const status = signal.aborted ? 'aborted' : 'failed';
      modelStatus = status;
      // A request that is rejected after it began, because its key was revoked, does not count as a use.
      const counts = !(signal.reason instanceof Problem);
      if (exchange) {
        await this.conversations
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
  // Text that was sent before the answer was cut off may come from its sources, and shows those it cites.
  const cited = withCited(answer.sources, content).filter((source) => source.cited);
  const context = content === '' ? {} : { contextDocumentIds: [...new Set(documentIds)] };
  return { answered, finishReason, usage, sources: cited, related, ...context };
}

const isModelFailure = (error: unknown): error is Problem =>
  error instanceof Problem && ['model_unavailable', 'model_timeout'].includes(error.code);
