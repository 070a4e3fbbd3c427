import { Inject, Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import type { SearchResult } from '@latchkey/ranking/search-index';
import { NeighbouringPassages } from '../documents/neighbouring-passages.js';
import { EXTRACTIVE } from '../knowledge-bases/settings/models.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { Problem } from '../platform/problems/problem.js';
import { addNeighbours } from './add-neighbours.js';
import type { StepDto } from './answer.dto.js';
import { AnswerGenerator, type ModelAnswer, type SamplingOptions } from './answer-generator.js';
import type { AnswerTrace } from './answer-trace.js';
import { type Asker, AnswerWatch } from './answer-watch.js';
import {
  type AnswerEvent,
  delta,
  messageEnd,
  messageStart,
  NOT_STORED,
  relatedEvents,
  type SearchFacts,
  sourcesEvent,
  stepEvent,
} from './chat-event.js';
import { checkedText } from './checked-text.js';
import type { CompleteAnswer } from './compose-answer.js';
import { ConversationStore } from './conversations/conversation-store.js';
import type { Exchange, Outcome, ConversationTurn, TokenUsage } from './conversations/exchange.js';
import type { SourceDto } from './conversations/source.dto.js';
import { CurrentAnswer } from './current-answer.js';
import { decideOutcome, refuse } from './decide-outcome.js';
import { ExtractiveAnswerer, type FoundMessage } from './extractive-answerer.js';
import { FurtherSearch, type Search } from './further-search.js';
import { answerParts } from './outcome.js';
import type { ModelPassage } from './prompt.js';
import { TokenTally } from './token-tally.js';
import { toSources } from './to-source.js';

/** A longer answer is cut off and recorded as `failed`, because a model might never stop. */
const MAX_ANSWER_LENGTH = 200_000;

/** How many of the best passages the model gets together with the texts around them. */
const WITH_NEIGHBOURS = 2;

/** An answer that a model has yet to write. */
export interface PendingAnswer extends ModelAnswer {
  readonly passages: readonly ModelPassage[];
  readonly sources: SourceDto[];
  /** The most tokens of all calls of the model, with those that plan searches. */
  readonly reserved: TokenUsage;
  /** Whether the passages are quoted if the model fails. */
  readonly fallsBack: boolean;
  /** Quotes an answer from the passages, without the model. */
  quote(): Promise<CompleteAnswer>;
  /** Searches further before the model answers; undefined if the request does not ask for it. */
  readonly further?: FurtherSearch;
  /** The same answer with other passages. */
  withFound(found: SearchResult): Promise<PendingAnswer>;
}

/** A message that the model may search further for. */
interface SearchedMessage extends FoundMessage {
  /** Searches for what the model plans. */
  readonly search: Search;
  /** The texts that were searched for. */
  readonly searched: readonly string[];
  /** The most rounds of further searches. */
  readonly rounds: number;
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
  readonly trace: AnswerTrace;
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
   * Prepares the answer of the model, which `write` then asks. Without passages it is complete, unless the
   * model may search further.
   *
   * @param history the earlier turns that the model gets, oldest first
   * @returns undefined if no model is used
   */
  async prepare(
    asked: SearchedMessage,
    history: readonly ConversationTurn[],
    sampling: SamplingOptions | undefined,
  ): Promise<CompleteAnswer | PendingAnswer | undefined> {
    const { message: question, found, settings, rounds, search, searched } = asked;
    const { generator } = this;
    if (generator === null || settings.model === EXTRACTIVE) return undefined;
    if (found.passages.length === 0 && rounds === 0) {
      const model = generator.chooseModel(settings.model);
      const nothing = {
        ...{ text: undefined, value: null, confidence: null },
        ...{ conflict: false, hasOpenQuestion: false },
      };
      return { model, ...nothing, sources: [], related: [], decided: [] };
    }
    const withFound = async (found: SearchResult): Promise<PendingAnswer> => {
      const best = found.passages.slice(0, WITH_NEIGHBOURS).map(({ passageId }) => passageId);
      const passages = addNeighbours(found.passages, await this.neighbours.findNeighbours(best));
      const generated = generator.generate({ ...settings, question, passages, history, sampling });
      return {
        ...generated,
        reserved: generated.expected,
        passages,
        sources: toSources(found.passages),
        fallsBack: settings.fallbackToExtractive,
        quote: () => this.extractive.answer({ ...asked, found }),
        withFound,
      };
    };
    const answer = await withFound(found);
    if (rounds === 0) return answer;
    const request = { ...settings, question, history };
    const further = new FurtherSearch(generator, search, found, request, rounds, searched);
    return { ...answer, reserved: further.addExpected(answer.expected), further };
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
    const { exchange, refusalText } = writing;
    const ids = exchange ?? NOT_STORED;
    const isMember = writing.asker.user !== undefined;
    const current = new CurrentAnswer(this.watch, writing);
    const deadline = performance.now() + writing.answer.wholeMs;
    const tally = new TokenTally();
    const steps: StepDto[] = [];
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.running.add(promise);
    const stopTimer = this.metrics.models.startTimer();
    let modelStatus: 'complete' | 'aborted' | 'failed' = 'failed';
    let content = '';
    const outcomeWith = (change: Partial<Outcome>): Outcome => ({
      ...current.outcome,
      content,
      usage: tally.reported,
      spent: tally.spent,
      latencyMs: Math.round(performance.now() - writing.startedAt),
      ...change,
    });
    try {
      await current.require();
      yield messageStart(ids);
      let change: Partial<Outcome> | undefined;
      let hasSources = false;
      try {
        for await (const step of current.searchFurther(tally, deadline)) {
          if (!isMember) continue;
          steps.push(step);
          yield stepEvent(step);
        }
        const { answer, outcome, watched, signal } = current;
        hasSources = true;
        yield sourcesEvent(outcome.sources);
        const { noAnswerMark, secrets } = answer;
        const checks = { sources: outcome.sources.length, noAnswerMark, secrets };
        const pieces =
          outcome.sources.length === 0 ? refuse(answer) : tally.count(answer, signal, deadline);
        for await (const piece of checkedText(pieces, checks)) {
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
        const { answer, outcome, signal } = current;
        const isSent = writing.streamed && content !== '';
        if (!answer.fallsBack || isSent || signal.aborted || !isModelFailure(error)) throw error;
        const quoted = await answer.quote();
        writing.trace.decide(quoted.decided, true);
        change = answerParts(quoted, refusalText);
        change = { ...change, finishReason: 'stop' };
        tally.dropLast();
        if (!hasSources) yield sourcesEvent(outcome.sources);
        this.logger.warn(`The model failed (${error.code}); the answer is quoted instead`);
        this.metrics.modelFallbacks.inc();
        content = '';
      }
      const rest = change.answered ? (change.content ?? '') : refusalText;
      // An answer that was cut off because it repeats its instructions already contains text.
      const separated = content !== '' && rest !== '' ? `\n\n${rest}` : rest;
      content += separated;
      if (separated !== '') yield delta(separated);
      await current.require();
      const complete = outcomeWith({ ...change, status: 'complete', content });
      if (exchange) await this.conversations.finish(exchange, writing.trace.addTo(complete));
      yield* relatedEvents(complete.related);
      const partial = writing.partial || writing.answer.further?.isPartial === true;
      yield messageEnd(ids, complete, { ...writing, partial, steps });
    } catch (error) {
      const { signal } = current;
      const status = signal.aborted ? 'aborted' : 'failed';
      modelStatus = status;
      // A request that is rejected after it began, because its key was revoked, does not count as a use.
      const counts = !(signal.reason instanceof Problem);
      if (exchange) {
        await this.conversations
          .finish(exchange, writing.trace.addTo(outcomeWith({ status })), counts)
          .catch((failure: unknown) => {
            this.logger.error(failure);
          });
      }
      throw error;
    } finally {
      stopTimer({ status: modelStatus });
      current.stop();
      this.running.delete(promise);
      resolve(undefined);
    }
  }
}

const isModelFailure = (error: unknown): error is Problem =>
  error instanceof Problem && ['model_unavailable', 'model_timeout'].includes(error.code);
