import { Injectable } from '@nestjs/common';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { insertRows } from '../../platform/database/insert-rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { ChannelEventRow } from './channel-event.entity.js';
import type { ChannelQuestion, ReplyTarget } from './channel-port.js';
import { ChannelReplies } from './channel-replies.js';
import { type ChannelWords, findWords } from './channel-words.js';
import type { Channel } from './channel.entity.js';

export type Notice = Exclude<keyof ChannelWords, 'page'>;

const HOUR = 'yyyy-mm-ddThh'.length;

/** Tells people why there is no answer: the same to the same person once an hour, so that a flood stays one-sided. */
@Injectable()
export class ChannelNotices {
  constructor(
    private readonly replies: ChannelReplies,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async say(
    channel: Channel,
    target: ReplyTarget,
    { asker, text, isPrivate, place }: ChannelQuestion,
    notice: Notice,
  ): Promise<void> {
    if (!this.replies.canSend(channel)) return;
    const now = new Date();
    // A command always gets an answer, which nobody else sees.
    const isOnce = !('replyUrl' in target);
    const hour = now.toISOString().slice(0, HOUR);
    const where = isPrivate ? '' : place;
    const id = `${channel.id}:notice:${notice}:${where}:${asker.id}:${hour}`;
    if (isOnce && !(await this.begin(id, channel, now))) return;
    const words = findWords(detectQuestionLanguage(text));
    try {
      const reply = { text: words[notice], isMarkdown: false, sources: [] };
      await this.replies.say(channel, target, reply);
    } catch (error) {
      await this.unitOfWork.run((manager) => manager.delete(ChannelEventRow, { id }));
      throw error;
    }
  }

  private begin(id: string, { id: channelId }: Channel, createdAt: Date): Promise<boolean> {
    const row = { id, channelId, event: null, createdAt };
    const conflict = 'ON CONFLICT DO NOTHING RETURNING id';
    return this.unitOfWork.run(
      async (manager) => (await insertRows(manager, ChannelEventRow, [row], conflict)).length === 1,
    );
  }
}
