import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull, LessThan } from 'typeorm';
import { FeedbackService } from '../../chat/conversations/feedback.service.js';
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
    const { id, messageId } = answer;
    if (answer.asker !== user) return true;
    const asker = { id: user, isStranger: false };
    try {
      const { principal } = await this.askers.admit(
        channel,
        { asker, isPrivate: false },
        'feedback',
        requestId,
      );
      const feedback = { rating: isRemoved ? null : rating };
      await this.feedback.give(
        principal,
        messageId,
        feedback,
        // Of several reactions the latest counts, so only its own removal takes it back.
        async (unit, given) =>
          (await noteRating(unit, id, at)) && (!isRemoved || given?.rating === rating),
      );
    } catch (error) {
      // The answer was erased, is on hold, or the channel has ended.
      if (error instanceof Problem && [401, 403, 404, 409].includes(error.getStatus())) return true;
      throw error;
    }
    return true;
  }
}

/** @returns false for a reaction that is older than one that was taken, or is the same */
async function noteRating(manager: EntityManager, id: string, at: string): Promise<boolean> {
  for (const ratedAt of [IsNull(), LessThan(at)]) {
    const { affected } = await manager.update(ChannelAnswer, { id, ratedAt }, { ratedAt: at });
    if (affected === 1) return true;
  }
  return false;
}
