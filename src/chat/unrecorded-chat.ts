import { Injectable } from '@nestjs/common';
import type { SearchScope } from '@latchkey/ranking/search-index';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import type { DashboardAnswerDto } from './answer.dto.js';
import { AnswerWatch, toWatched } from './answer-watch.js';
import { AnswerWriter } from './answer-writer.js';
import { type AnswerEvent, NOT_KEPT, toEvents } from './chat-event.js';
import { ChatPipeline } from './chat-pipeline.js';
import type { Turn } from './conversations/exchange.js';
import type { ChatDto } from './question.dto.js';

type Question = Pick<ChatDto, 'message' | 'top_k' | 'filter' | 'stream'>;

interface Options {
  /** The asker; undefined if nobody waits for the answer. */
  readonly user?: DashboardUser;
  /** Earlier questions and answers, oldest first. */
  readonly turns?: readonly Turn[];
  /** Called before a model is asked; may reject the request. */
  readonly beforeModel?: () => Promise<void>;
}

/** Answers questions without storing or counting anything. */
@Injectable()
export class UnrecordedChat {
  constructor(
    private readonly pipeline: ChatPipeline,
    private readonly writer: AnswerWriter,
    private readonly watch: AnswerWatch,
  ) {}

  async chat(
    kbId: string,
    settings: Settings,
    scope: SearchScope,
    question: Question,
    signal: AbortSignal,
    options: Options = {},
  ): Promise<DashboardAnswerDto> {
    return readAnswer(await this.stream(kbId, settings, scope, question, signal, options));
  }

  /**
   * Answers a question as a stream of events. A request is rejected before this returns; later failures are
   * thrown while the events are read.
   *
   * @param clientSignal aborted when the client disconnects
   */
  async stream(
    kbId: string,
    settings: Settings,
    scope: SearchScope,
    dto: Question,
    clientSignal: AbortSignal,
    { user, turns = [], beforeModel }: Options = {},
  ): Promise<AsyncIterable<AnswerEvent>> {
    const startedAt = performance.now();
    const places = [{ kbId, scope }];
    const request = { kbId, places, settings, dto, turns, startedAt, clientSignal };
    const { pending, searched, ...reply } = await this.pipeline.reply(request);
    if (!pending) {
      const asker = { kbId, scope, asked: undefined, user };
      await this.watch.confirm(toWatched(asker, reply.outcome), startedAt);
      return withSearched(toEvents(NOT_KEPT, reply.outcome, reply.partial), searched);
    }
    await beforeModel?.();
    const streamed = dto.stream === true;
    const asked = { kbId, user, scope, exchange: undefined };
    const writing = { ...reply, ...asked, answer: pending, streamed };
    return withSearched(this.writer.write({ ...writing, startedAt, clientSignal }), searched);
  }
}

async function* withSearched(
  events: AsyncIterable<AnswerEvent> | Iterable<AnswerEvent>,
  searched: readonly string[],
): AsyncGenerator<AnswerEvent, void> {
  for await (const event of events) {
    if (event.event !== 'message_end' || searched.length === 0) yield event;
    else yield { ...event, data: { ...event.data, searched_for: [...searched] } };
  }
}

/** The whole answer, which is in the last event. */
export async function readAnswer(
  events: AsyncIterable<AnswerEvent> | Iterable<AnswerEvent>,
): Promise<DashboardAnswerDto> {
  for await (const { event, data } of events) {
    if (event === 'message_end') return data;
  }
  throw new Error('The events of an answer ended without message_end');
}
