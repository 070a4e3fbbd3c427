import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { separateQuestions, type SingleQuestion } from '@latchkey/quoting/separate-questions';
import { detectSmallTalk } from '@latchkey/text/small-talk';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import type { SearchedKnowledgeBase } from './asked-knowledge-bases.js';
import type { SamplingOptions } from './answer-generator.js';
import { type AnswerSource, IsAnswerSource } from './answer-source.js';
import { Answering, type PendingAnswer } from './answering.js';
import type { Outcome, Turn } from './conversations/exchange.js';
import { mergeFound } from './compose-answer.js';
import { completeOutcome, pendingOutcome, readyOutcome, smallTalkOutcome } from './outcome.js';
import type { QuestionDto } from './question.dto.js';
import { Replies } from './replies.js';

/** A message with everything its answer depends on. */
export interface ReplyRequest {
  /** The knowledge base of the conversation. */
  readonly kbId: string;
  /** At least one. */
  readonly places: readonly SearchedKnowledgeBase[];
  readonly dto: Pick<QuestionDto, 'message' | 'top_k' | 'filter'>;
  readonly settings: Settings;
  /** Earlier questions and answers, oldest first. */
  readonly turns: readonly Turn[];
  readonly sampling?: SamplingOptions | undefined;
  /** When the request arrived, as `performance.now()` has it. */
  readonly startedAt: number;
  /** Aborted when the client disconnects. */
  readonly clientSignal: AbortSignal;
}

export interface Reply {
  readonly outcome: Outcome;
  /** The answer that a model has yet to write; undefined if the outcome is complete. */
  readonly pending: PendingAnswer | undefined;
  /** Whether the search reached its time limit. */
  readonly partial: boolean;
  readonly refusalText: string;
  /** The texts that were searched for: the questions of the message, with follow-ups completed. */
  readonly searched: readonly string[];
}

const NOT_SEARCHED = { pending: undefined, partial: false, refusalText: '', searched: [] };

/** The number of earlier turns that a model gets. */
export const sentTurns = ({ historyMessages }: Settings) => Math.floor(historyMessages / 2);

/** Produces the reply to a message, for partners, playgrounds and evaluations. It stores nothing. */
@Injectable()
export class ChatPipeline implements OnModuleInit {
  private answerSources: readonly AnswerSource[] = [];

  constructor(
    private readonly answering: Answering,
    private readonly replies: Replies,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.answerSources = IsAnswerSource.find(this.discovery).map(({ instance }) => instance);
  }

  async reply(request: ReplyRequest): Promise<Reply> {
    const { places, dto, settings, turns, startedAt, clientSignal: signal } = request;
    const { message } = dto;
    const talk = this.findSmallTalk(message, settings, turns.at(-1));
    const [about] = places;
    if (!about) throw new Error('A question needs a knowledge base');
    if (talk) {
      const { greeting } = settings;
      const before = turns.at(-1)?.question;
      const said = await this.replies.smallTalk(greeting, talk, before, request.kbId, about);
      const outcome = smallTalkOutcome(said, startedAt);
      return { outcome, ...NOT_SEARCHED };
    }
    const separate = separateQuestions(message, findQuestions(turns));
    for (const source of this.answerSources) {
      const ready = await source.answer(places, message, separate, dto.filter);
      if (ready) return { outcome: readyOutcome(ready, startedAt), ...NOT_SEARCHED };
    }
    const questions = [];
    for (const one of separate) {
      const needed = { onlyInformative: true, withSentences: true };
      const options = { asked: one.asked, signal, ...needed };
      const found = await this.answering.search(places, one.text, settings, dto, options);
      const refusalText = this.replies.refusal(settings.refusalText, one.asked, found);
      questions.push({ ...one, found, refusalText });
    }
    const found = mergeFound(questions);
    const refusalText = this.replies.refusal(settings.refusalText, message, found);
    const history = turns.slice(Math.max(0, turns.length - sentTurns(settings)));
    const answer = await this.answering.answer({
      kbId: about.kbId,
      question: message,
      questions,
      found,
      settings,
      history,
      sampling: request.sampling,
      signal,
    });
    const told = { partial: found.partial, refusalText, searched: separate.map(toSearchText) };
    return 'pieces' in answer
      ? { outcome: pendingOutcome(answer, history), pending: answer, ...told }
      : {
          outcome: completeOutcome(answer, refusalText, startedAt),
          pending: undefined,
          ...told,
        };
  }

  /**
   * Recognizes small talk. “Yes” or “thanks” may answer a question of the model, which then gets the
   * message.
   */
  private findSmallTalk(message: string, settings: Settings, before: Turn | undefined) {
    const hasAsked = before !== undefined && /[?？؟;]\s*$/.test(before.answer);
    return hasAsked && this.answering.hasModel(settings) ? undefined : detectSmallTalk(message);
  }
}

const toSearchText = ({ asked, context, text }: SingleQuestion): string =>
  context.length === 0 ? text : [...context, asked].join(' ');

/** Finds the earlier questions that a follow-up can refer to. Small talk is not one of them. */
const findQuestions = (turns: readonly Turn[]): string[] =>
  turns.map(({ question }) => question).filter((question) => !detectSmallTalk(question));
