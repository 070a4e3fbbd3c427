import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { FeedbackService } from '../../chat/conversations/feedback.service.js';
import { MessageFeedback } from '../../chat/conversations/message-feedback.entity.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Problem } from '../../platform/problems/problem.js';
import { ChannelAnswer } from './channel-answer.entity.js';
import { ChannelAskers } from './channel-askers.js';
import type { ChannelEvent } from './channel-port.js';
import type { Channel } from './channel.entity.js';

/** Takes reactions of the asker on an answer as its rating; those of others are not theirs to give. */
@Injectable()
export class ChannelRatings {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly feedback: FeedbackService,
    private readonly askers: ChannelAskers,
  ) {}

  /** @returns false if the answer is not there yet */
  async rate(
    channel: Channel,
    { place, message, user, rating, isRemoved, at }: Extract<ChannelEvent, { kind: 'reaction' }>,
    requestId: string,
  ): Promise<boolean> {
    const { manager } = this.dataSource;
    const where = { channelId: channel.id, place, answerMessage: message };
    const answer = await manager.findOneBy(ChannelAnswer, where);
    if (!answer) return false;
    const { id, messageId, ratedAt } = answer;
    if (answer.asker !== user || (ratedAt !== null && ratedAt >= at)) return true;
    const given = await manager.findOneBy(MessageFeedback, { messageId });
    // Of several reactions the latest counts, so only its own removal takes it back.
    if (isRemoved && given?.rating !== rating) return true;
    const asker = { id: user, isStranger: false };
    try {
      const { principal } = await this.askers.admit(
        channel,
        { asker, isPrivate: false },
        'feedback',
        requestId,
      );
      await this.feedback.give(principal, messageId, { rating: isRemoved ? null : rating });
    } catch (error) {
      // The answer was erased, is on hold, or the channel has ended.
      if (error instanceof Problem && [401, 403, 404, 409].includes(error.getStatus())) return true;
      throw error;
    }
    await this.unitOfWork.run((unit) => unit.update(ChannelAnswer, { id }, { ratedAt: at }));
    return true;
  }
}
