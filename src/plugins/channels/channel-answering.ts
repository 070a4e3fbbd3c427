import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, IsNull, LessThan, Repository } from 'typeorm';
import { KeyUses, toUsedKey } from '../../api-keys/key-uses.js';
import type { ChatAnswerDto } from '../../chat/answer.dto.js';
import { ChatService } from '../../chat/chat.service.js';
import { insertRows } from '../../platform/database/insert-rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Problem } from '../../platform/problems/problem.js';
import { ChannelAnswer, toAnswerId } from './channel-answer.entity.js';
import { ChannelAskers } from './channel-askers.js';
import { ChannelNotices, type Notice } from './channel-notices.js';
import type { ChannelEvent, ChannelQuestion } from './channel-port.js';
import { ChannelReplies } from './channel-replies.js';
import { toReply } from './channel-reply.js';
import type { Channel } from './channel.entity.js';

type Command = Extract<ChannelEvent, { kind: 'command' }>;

export interface Attempt {
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** With this one. */
  readonly attempts: number;
}

/** Longer texts are cut, as /chat would refuse them. */
const MAX_QUESTION = 8000;
/** Edits of older questions change nothing. */
const EDITABLE_MS = 24 * 60 * 60 * 1000;
/** After this many attempts a reply says that it failed. */
const MAX_ATTEMPTS = 5;

/** Asks what people ask in a chat service, as a partner's backend would with the key of the channel. */
@Injectable()
export class ChannelAnswering {
  private readonly logger = new Logger(ChannelAnswering.name);

  constructor(
    @InjectRepository(ChannelAnswer) private readonly answers: Repository<ChannelAnswer>,
    private readonly chat: ChatService,
    private readonly uses: KeyUses,
    private readonly unitOfWork: UnitOfWork,
    private readonly askers: ChannelAskers,
    private readonly replies: ChannelReplies,
    private readonly notices: ChannelNotices,
  ) {}

  /** Answers a question once: what was asked in an earlier attempt is only sent. */
  async answer(
    channel: Channel,
    event: ({ kind: 'question' } & ChannelQuestion) | Command,
    attempt: Attempt,
  ): Promise<void> {
    const question = event.kind === 'command' ? toQuestion(event) : event;
    const target = event.kind === 'command' ? { replyUrl: event.replyUrl } : question;
    const id = toAnswerId(channel.id, question.place, question.message);
    const before = await this.answers.findOneBy({ id });
    // An answer that was sent and is not yet replaced is the matter of the edit.
    if (before?.reply && before.answerMessage === null) {
      return this.replies.send(channel, target, before);
    }
    if (before) {
      const { editedAt } = question;
      if (editedAt !== undefined)
        await this.answerEdit(channel, { ...question, editedAt }, attempt);
      return;
    }
    const notify = (notice: Notice) => this.notices.say(channel, target, question, notice);
    const conversationId = await this.findConversation(channel, question);
    const answer = await this.ask(channel, question, conversationId, attempt, notify);
    if (!answer) return;
    const { place, thread, asker, editedAt = null } = question;
    const row = {
      ...{ id, channelId: channel.id, place, thread, asker: asker.id, editedAt },
      ...{ conversationId: answer.conversation_id, messageId: answer.message_id },
      ...{ reply: toReply(answer, question.text), answerMessage: null, ratedAt: null },
      answeredEdit: editedAt,
      createdAt: new Date(),
    };
    await this.unitOfWork.run((manager) =>
      insertRows(manager, ChannelAnswer, [row], 'ON CONFLICT DO NOTHING'),
    );
    await this.replies.send(channel, target, row);
  }

  /**
   * Replaces the answer to an edited question, once for each edit.
   *
   * @returns false if its answer is not there yet
   */
  async answerEdit(
    channel: Channel,
    question: ChannelQuestion & { readonly editedAt: string },
    attempt: Attempt,
  ): Promise<boolean> {
    const { place, message, asker, editedAt } = question;
    const id = toAnswerId(channel.id, place, message);
    const row = await this.answers.findOneBy({ id });
    if (!row?.answerMessage) return false;
    if (row.asker !== asker.id || row.createdAt.getTime() + EDITABLE_MS < Date.now()) return true;
    if (row.answeredEdit === editedAt && row.reply) {
      await this.replies.replace(channel, row);
      return true;
    }
    if (row.answeredEdit === editedAt) return true;
    const isBegun = attempt.attempts > 1 && row.editedAt === editedAt;
    if (!isBegun && !(await this.beginEdit(id, editedAt))) return true;
    const notify = (notice: Notice) => this.notices.say(channel, question, question, notice);
    const answer = await this.ask(channel, question, row.conversationId, attempt, notify);
    if (!answer) return true;
    const { conversation_id: conversationId, message_id: messageId } = answer;
    const reply = toReply(answer, question.text);
    const columns = { conversationId, messageId, reply, answeredEdit: editedAt };
    await this.unitOfWork.run((manager) => manager.update(ChannelAnswer, { id }, columns));
    await this.replies.replace(channel, { ...row, ...columns });
    return true;
  }

  /** Forgets what could not be sent. */
  async giveUp(channelId: string, event: ChannelEvent | null): Promise<void> {
    if (!event || event.kind === 'reaction' || event.kind === 'ended') return;
    const { place, message } = event.kind === 'command' ? toQuestion(event) : event;
    const id = toAnswerId(channelId, place, message);
    await this.unitOfWork.run((manager) => manager.update(ChannelAnswer, { id }, { reply: null }));
  }

  /** @returns false for an edit that is older than one that was answered, or is the same */
  private async beginEdit(id: string, editedAt: string): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const was: FindOptionsWhere<ChannelAnswer>[] = [
        { id, editedAt: IsNull() },
        { id, editedAt: LessThan(editedAt) },
      ];
      for (const where of was) {
        const { affected } = await manager.update(ChannelAnswer, where, { editedAt });
        if (affected === 1) return true;
      }
      return false;
    });
  }

  /** What one person asks in one thread is one conversation, since it is read with that person's rights. */
  private async findConversation(
    channel: Channel,
    { place, thread, asker }: ChannelQuestion,
  ): Promise<string | undefined> {
    const last = await this.answers.findOne({
      where: { channelId: channel.id, place, thread, asker: asker.id },
      order: { createdAt: 'DESC' },
    });
    return last?.conversationId;
  }

  /** @returns undefined if a notice was sent instead of an answer, or nothing can be sent */
  private async ask(
    channel: Channel,
    question: ChannelQuestion,
    conversationId: string | undefined,
    { signal, requestId, attempts }: Attempt,
    notify: (notice: Notice) => Promise<void>,
  ): Promise<ChatAnswerDto | undefined> {
    const message = Array.from(question.text.trim()).slice(0, MAX_QUESTION).join('');
    const isPaused = channel.state === 'paused';
    if (isPaused || message === '') {
      await notify(isPaused ? 'paused' : 'empty');
      return undefined;
    }
    // Without a token the answer could not be sent, and would be paid for all the same.
    if (!this.replies.canSend(channel)) return undefined;
    try {
      const asker = await this.askers.admit(channel, question, 'chat', requestId);
      const { principal, admittedAt: at } = asker;
      const dto = { message, ...(conversationId && { conversation_id: conversationId }) };
      const answer = await this.chat.chat(principal, dto, signal);
      this.uses.record({ kind: 'use', key: toUsedKey(principal), at, ip: asker.ip, count: 1 });
      return answer;
    } catch (error) {
      if (!(error instanceof Problem) || signal.aborted) throw error;
      const notice = toNotice(error);
      if (notice === 'failed' && attempts < MAX_ATTEMPTS) throw error;
      if (notice === 'failed') {
        this.logger.warn(`A question in ${channel.id} was not answered: ${error.code}`);
      }
      if (notice) await notify(notice);
      return undefined;
    }
  }
}

/** Only the asker sees what a command is answered, and it begins no thread. */
const toQuestion = ({ asker, text, message }: Command): ChannelQuestion => ({
  ...{ asker, text, message, thread: message },
  ...{ place: 'command', isPrivate: true },
});

/** @returns undefined if the channel has ended, so that no notice can be sent */
function toNotice(problem: Problem): Notice | undefined {
  switch (problem.code) {
    case 'budget_reached':
    case 'daily_limit_reached':
      return 'spent';
    case 'rate_limited':
      return 'tooFast';
    default:
      return [401, 403].includes(problem.getStatus()) ? undefined : 'failed';
  }
}
