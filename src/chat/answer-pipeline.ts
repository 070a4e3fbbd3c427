import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type AskedList, findAskedList } from '@latchkey/quoting/asked-list';
import { separateQuestions, type SingleQuestion } from '@latchkey/quoting/separate-questions';
import { detectSmallTalk, type SmallTalk } from '@latchkey/text/small-talk';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import type { SamplingOptions } from './answer-generator.js';
import { type AnswerSource, IsAnswerSource } from './answer-source.js';
import { AnswerTrace } from './answer-trace.js';
import { AnswerWatch, type Asker, toWatched } from './answer-watch.js';
import type { SearchedKnowledgeBase } from './asked-knowledge-bases.js';
import { type AnswerEvent, toEvents } from './chat-event.js';
import { mergeFound } from './compose-answer.js';
import type { Exchange, Outcome, ConversationTurn } from './conversations/exchange.js';
import { DocumentLists } from './document-lists.js';
import { countRounds } from './effort.js';
import { ExtractiveAnswerer } from './extractive-answerer.js';
import type { Search } from './further-search.js';
import { ModelAnswerer, type PendingAnswer } from './model-answerer.js';
import {
  completeOutcome,
  listOutcome,
  pendingOutcome,
  readyOutcome,
  smallTalkOutcome,
} from './outcome.js';
import type { ChatDto } from './question.dto.js';
import { Replies } from './replies.js';
import { Retriever } from './retriever.js';
import { SmallTalkByMeaning } from './small-talk-by-meaning.js';

/** A message with everything its answer depends on. */
export interface AnswerRequest {
  readonly asker: Asker;
  /** The knowledge bases that are asked; at least one. */
  readonly knowledgeBases: readonly SearchedKnowledgeBase[];
  readonly dto: Pick<ChatDto, 'message' | 'top_k' | 'filter' | 'diversity' | 'effort' | 'stream'>;
  readonly settings: Settings;
  /** Earlier questions and answers, oldest first. */
  readonly turns: readonly ConversationTurn[];
  readonly sampling?: SamplingOptions | undefined;
  /** When the request arrived, as `performance.now()` has it. */
  readonly startedAt: number;
  /** Aborted when the client disconnects. */
  readonly clientSignal: AbortSignal;
}

export interface PreparedAnswer {
  readonly outcome: Outcome;
  /** The answer that a model has yet to write; undefined if the outcome is complete. */
  readonly pending: PendingAnswer | undefined;
  /** Whether there may be better passages; see Retriever. */
  readonly partial: boolean;
  readonly refusalText: string;
  /** The texts that were searched for: the questions of the message, with follow-ups completed. */
  readonly searched: readonly string[];
  readonly trace: AnswerTrace;
}

const NOT_SEARCHED = { pending: undefined, partial: false, refusalText: '', searched: [] };

/** The number of earlier turns that a model gets. */
export const sentTurns = ({ historyMessages }: Settings) => Math.floor(historyMessages / 2);

/**
 * Answers a message: small talk by a phrase, else by the first answer source that can, a question for
 * documents by their list, else from the passages that are found, which are quoted or given to a model. What they
 * do not answer may ask for what metadata name, or be small talk.
 */
@Injectable()
export class AnswerPipeline implements OnModuleInit {
  private answerSources: readonly AnswerSource[] = [];

  constructor(
    private readonly retriever: Retriever,
    private readonly extractive: ExtractiveAnswerer,
    private readonly model: ModelAnswerer,
    private readonly replies: Replies,
    private readonly lists: DocumentLists,
    private readonly smallTalk: SmallTalkByMeaning,
    private readonly watch: AnswerWatch,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.answerSources = IsAnswerSource.find(this.discovery).map(({ instance }) => instance);
  }

  /**
   * Answers as a stream of events. A request is rejected before this returns; later failures are thrown while
   * the events are read.
   *
   * @param begin called before a model is asked and before the client gets anything; may reject the request.
   *   Stores the answer, complete or not; returns undefined if it is not stored
   */
  async stream(
    request: AnswerRequest,
    begin: (prepared: PreparedAnswer) => Promise<Exchange | undefined>,
  ): Promise<AsyncIterable<AnswerEvent> | Iterable<AnswerEvent>> {
    const prepared = await this.prepare(request);
    const { outcome, pending, ...found } = prepared;
    if (!pending) {
      await this.watch.confirm(toWatched(request.asker, outcome), request.startedAt);
    }
    const exchange = await begin(prepared);
    if (!pending) return toEvents(exchange, outcome, found);
    const { asker, dto, startedAt, clientSignal } = request;
    const writing = { asker, streamed: dto.stream === true, startedAt, clientSignal };
    return this.model.write({ ...writing, exchange, answer: pending, outcome, ...found });
  }

  private async prepare(request: AnswerRequest): Promise<PreparedAnswer> {
    const trace = new AnswerTrace(request);
    return { ...(await this.decide(request, trace)), trace };
  }

  private async decide(
    request: AnswerRequest,
    trace: AnswerTrace,
  ): Promise<Omit<PreparedAnswer, 'trace'>> {
    const { knowledgeBases, dto, settings, turns, startedAt, clientSignal: signal } = request;
    const { message } = dto;
    const { kbId } = request.asker;
    const talk = this.findSmallTalk(message, settings, turns.at(-1));
    const [first] = knowledgeBases;
    if (!first) throw new Error('A question needs a knowledge base');
    if (talk) return this.replyToSmallTalk(request, talk, first);
    const separate = separateQuestions(message, findQuestions(turns));
    for (const source of this.answerSources) {
      const ready = await source.answer(knowledgeBases, message, separate, dto.filter);
      if (ready) return { outcome: readyOutcome(ready, kbId, startedAt), ...NOT_SEARCHED };
    }
    const askedList = findAskedList(message);
    const list = (one: AskedList) => this.lists.answer(kbId, knowledgeBases, one, dto.filter);
    // No passage says which documents there are.
    const listed = askedList?.namesDocuments ? await list(askedList) : undefined;
    if (listed) return { outcome: listOutcome(listed, startedAt), ...NOT_SEARCHED };
    const search: Search = (text, asked, searchSignal) =>
      this.retriever.retrieve(knowledgeBases, text, settings, dto, {
        ...{ asked, signal: searchSignal, onlyInformative: true },
      });
    const further: Search = (text, asked, searchSignal) =>
      trace.record(text, () => search(text, asked, searchSignal), true);
    const questions = [];
    for (const one of separate) {
      const found = await trace.record(one.text, () => search(one.text, one.asked, signal));
      const refusalText = this.replies.refusal(settings.refusalText, one.asked, found);
      questions.push({ ...one, found, refusalText });
    }
    const found = mergeFound(questions);
    const refusalText = this.replies.refusal(settings.refusalText, message, found);
    const history = turns.slice(Math.max(0, turns.length - sentTurns(settings)));
    const searched = separate.map(toSearchText);
    const asked = { kbId: first.kbId, message, questions, found, settings, signal };
    const answer =
      (await this.model.prepare(
        { ...asked, search: further, searched, rounds: countRounds(dto.effort) },
        history,
        request.sampling,
      )) ?? (await this.extractive.answer(asked));
    if (!('pieces' in answer)) trace.decide(answer.decided);
    if (!('pieces' in answer) && questions.length === 1 && answer.text === undefined) {
      const isNamed = askedList?.namesDocuments === false && !found.partial;
      const named = isNamed ? await list(askedList) : undefined;
      if (named) return { outcome: listOutcome(named, startedAt), ...NOT_SEARCHED };
      const mayBeTalk = !this.answersModel(settings, turns.at(-1));
      const meant = mayBeTalk && (await this.smallTalk.detect(first.kbId, message));
      if (meant) return this.replyToSmallTalk(request, meant, first);
    }
    const rest = { partial: found.partial, refusalText, searched };
    return 'pieces' in answer
      ? { outcome: pendingOutcome(answer, history), pending: answer, ...rest }
      : {
          outcome: completeOutcome(answer, refusalText, startedAt),
          pending: undefined,
          ...rest,
        };
  }

  /** @param about the knowledge base whose documents a greeting names */
  private async replyToSmallTalk(
    { asker, settings, turns, startedAt }: AnswerRequest,
    talk: SmallTalk,
    about: SearchedKnowledgeBase,
  ): Promise<Omit<PreparedAnswer, 'trace'>> {
    const before = turns.at(-1)?.question;
    const said = await this.replies.smallTalk(settings.greeting, talk, before, asker.kbId, about);
    return { outcome: smallTalkOutcome(said, startedAt), ...NOT_SEARCHED };
  }

  private findSmallTalk(message: string, settings: Settings, before: ConversationTurn | undefined) {
    return this.answersModel(settings, before) ? undefined : detectSmallTalk(message);
  }

  /** Whether a message may answer a question of the model, as “yes” and “thanks” do; it then gets the message. */
  private answersModel(settings: Settings, before: ConversationTurn | undefined): boolean {
    const hasAsked = before !== undefined && /[?？؟;]\s*$/.test(before.answer);
    return hasAsked && this.model.isUsed(settings);
  }
}

const toSearchText = ({ asked, context, text }: SingleQuestion): string =>
  context.length === 0 ? text : [...context, asked].join(' ');

/** Finds the earlier questions that a follow-up can refer to. Small talk is not one of them. */
const findQuestions = (turns: readonly ConversationTurn[]): string[] =>
  turns.map(({ question }) => question).filter((question) => !detectSmallTalk(question));
