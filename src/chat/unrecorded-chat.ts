import { Injectable } from '@nestjs/common';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import type { DashboardAnswerDto } from './answer.dto.js';
import { Answering } from './answering.js';
import { AnswerWriter } from './answer-writer.js';
import { type ChatEvent, NOT_KEPT, toEvents } from './chat-event.js';
import { completeOutcome, pendingOutcome, smallTalkOutcome } from './outcome.js';
import type { ChatDto } from './question.dto.js';
import { Replies } from './replies.js';
import { askedSentences } from '@latchkey/text/asked-sentences';
import { smallTalkOf } from '@latchkey/text/small-talk';

type Question = Pick<ChatDto, 'message' | 'top_k' | 'filter' | 'stream'>;

/** Answers questions without storing or counting anything. */
@Injectable()
export class UnrecordedChat {
  constructor(
    private readonly answering: Answering,
    private readonly writer: AnswerWriter,
    private readonly replies: Replies,
  ) {}

  async chat(
    kbId: string,
    settings: Settings,
    question: Question,
    signal: AbortSignal,
    beforeModel?: () => Promise<void>,
  ): Promise<DashboardAnswerDto> {
    const events = await this.stream(kbId, settings, question, signal, beforeModel);
    for await (const { event, data } of events) {
      if (event === 'message_end') return data;
    }
    throw new Error('The events of an answer ended without message_end');
  }

  /**
   * Rejects a request before it returns, if at all; later failures are thrown while the events are read.
   *
   * @param clientSignal aborted when the client disconnects
   * @param beforeModel called before a model is asked; may reject the request
   */
  async stream(
    kbId: string,
    settings: Settings,
    dto: Question,
    clientSignal: AbortSignal,
    beforeModel?: () => Promise<void>,
  ): Promise<AsyncIterable<ChatEvent> | Iterable<ChatEvent>> {
    const startedAt = performance.now();
    const talk = smallTalkOf(dto.message);
    if (talk) {
      const text = await this.replies.smallTalk(settings.greeting, talk, dto.message, { kbId });
      return toEvents(NOT_KEPT, smallTalkOutcome(text, startedAt), false);
    }
    const asked = askedSentences(dto.message);
    const options = { asked, signal: clientSignal, onlyInformative: true };
    const found = await this.answering.search(kbId, dto.message, settings, dto, options);
    const answer = await this.answering.answer({
      kbId,
      question: dto.message,
      found,
      settings,
      history: [],
      signal: clientSignal,
    });
    const { partial } = found;
    const refusalText = this.replies.refusal(settings.refusalText, dto.message, found);
    if (!('pieces' in answer)) {
      return toEvents(NOT_KEPT, completeOutcome(answer, refusalText, startedAt), partial);
    }
    await beforeModel?.();
    return this.writer.write({
      exchange: undefined,
      answer,
      outcome: pendingOutcome(answer),
      partial,
      refusalText,
      streamed: dto.stream === true,
      startedAt,
      clientSignal,
    });
  }
}
