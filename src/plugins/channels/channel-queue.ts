import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, IsNull, Like, Not } from 'typeorm';
import { JobQueue, type Lease } from '../../knowledge-bases/job-queue.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { ChannelEventRow } from './channel-event.entity.js';

/** The time after which another process takes up the event of one that died. */
const LEASE_MS = 30_000;
export const MAX_PAUSE_MS = 5 * 60_000;
/** Events per user at a time in one process. */
const MAX_OF_USER = 4;

/** The oldest waiting questions of a place, which a later one is compared with: more would cost each of a flood more. */
const MAX_COMPARED = 100;

/** The queue of events that are not done. */
@Injectable()
export class ChannelQueue extends JobQueue<ChannelEventRow> {
  constructor(@InjectDataSource() dataSource: DataSource, unitOfWork: UnitOfWork) {
    super(dataSource, unitOfWork, ChannelEventRow, {
      ...{ name: 'channel_events', leaseMs: LEASE_MS, maxPauseMs: MAX_PAUSE_MS },
      kbId: `(SELECT k.owner_id FROM channels c JOIN api_keys k ON k.id = c.api_key_id
        WHERE c.id = s.channel_id)`,
      maxPerUser: MAX_OF_USER,
    });
  }

  /** Ends an event for good, and forgets what it said. */
  async finish(lease: Lease<ChannelEventRow>): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      for (const id of await this.end(manager, [lease])) {
        await manager.update(ChannelEventRow, { id }, { event: null });
      }
    });
  }

  /**
   * Whether a question must wait, since an earlier one of the same person in the same thread is not answered yet, or an
   * edit, since its question is not.
   */
  async isBehind({ channelId, event }: ChannelEventRow): Promise<boolean> {
    if (event?.kind !== 'question' && event?.kind !== 'edit') return false;
    const { kind, place, thread, message, asker, editedAt = '' } = event;
    if (thread === message && editedAt === '') return false;
    const waiting = await this.dataSource.manager.find(ChannelEventRow, {
      where: { channelId, id: Like(`${channelId}:question:${place}:%`), event: Not(IsNull()) },
      order: { createdAt: 'ASC' },
      take: MAX_COMPARED,
    });
    return waiting.some(({ event: other }) => {
      if (other?.kind !== 'question' || other.asker.id !== asker.id) return false;
      if (other.message !== message) {
        return kind === 'question' && other.thread === thread && other.message < message;
      }
      return kind === 'edit' || (other.editedAt ?? '') < editedAt;
    });
  }

  /** Lets an event wait. */
  async postpone(
    lease: Lease<ChannelEventRow>,
    pauseMs: number,
    isUncounted = false,
  ): Promise<void> {
    const pause = { pauseMs: Math.min(pauseMs, MAX_PAUSE_MS), isUncounted };
    await this.unitOfWork.run((manager) => this.release(manager, [lease], pause));
  }
}
