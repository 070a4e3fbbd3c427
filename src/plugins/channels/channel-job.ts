import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Lease } from '../../knowledge-bases/job-queue.js';
import { Job } from '../../platform/jobs/job.js';
import { Problem } from '../../platform/problems/problem.js';
import { ChannelAnswering } from './channel-answering.js';
import { ChannelConnections } from './channel-connections.js';
import { ChannelEventRow } from './channel-event.entity.js';
import { ChannelFailure } from './channel-port.js';
import { ChannelQueue } from './channel-queue.js';
import { ChannelRatings } from './channel-ratings.js';
import type { Channel } from './channel.entity.js';
import { findChannel } from './find-channel.js';

const POLL_INTERVAL_MS = 2000;
const CONCURRENCY = 8;
/** An event that is early waits for the one that it is about. */
const EARLY = { attempts: 6, pauseMs: 1000 };
/** With pauses of 2, 4, 8, … seconds. */
const MAX_ATTEMPTS = 8;
const PAUSE_MS = 1000;

/** Handles events in the background: answers questions, updates answers, and notes ratings. */
@Injectable()
export class ChannelJob {
  private readonly logger = new Logger(ChannelJob.name);

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly queue: ChannelQueue,
    private readonly answering: ChannelAnswering,
    private readonly ratings: ChannelRatings,
    private readonly connections: ChannelConnections,
  ) {}

  @Job({ every: POLL_INTERVAL_MS, queue: ChannelQueue, concurrency: CONCURRENCY })
  async handle([lease]: readonly [Lease<ChannelEventRow>], signal: AbortSignal): Promise<void> {
    const channel = await findChannel(this.dataSource.manager, lease.row.channelId);
    if (!channel) return this.queue.finish(lease);
    try {
      if (await this.queue.isBehind(lease.row)) {
        await this.queue.postpone(lease, EARLY.pauseMs, true);
        return;
      }
      const isDone = await this.handleEvent(channel, lease, signal);
      if (isDone || lease.job.attempts >= EARLY.attempts) await this.queue.finish(lease);
      else await this.queue.postpone(lease, EARLY.pauseMs);
    } catch (error) {
      if (signal.aborted) await this.queue.postpone(lease, 0);
      else await this.handleFailure(channel, lease, error);
    }
  }

  /** @returns false if it is about an event that has not come yet */
  private async handleEvent(
    channel: Channel,
    { row: { id, event }, job: { attempts } }: Lease<ChannelEventRow>,
    signal: AbortSignal,
  ): Promise<boolean> {
    switch (event?.kind) {
      case undefined:
        return true;
      case 'question':
      case 'command':
        await this.answering.answer(channel, event, { signal, requestId: id, attempts });
        return true;
      case 'edit':
        return this.answering.answerEdit(channel, event, { signal, requestId: id, attempts });
      case 'reaction':
        return this.ratings.rate(channel, event, id);
      case 'ended':
        await this.connections.end(channel, event.reason, id, event.at);
        return true;
      default:
        return event satisfies never;
    }
  }

  private async handleFailure(
    channel: Channel,
    lease: Lease<ChannelEventRow>,
    error: unknown,
  ): Promise<void> {
    const { attempts } = lease.job;
    if (!(error instanceof ChannelFailure)) {
      if (!(error instanceof Problem)) this.logger.error(error);
    } else if (error.kind !== 'ended') await this.connections.note(channel, error.message);
    const isFinal =
      error instanceof ChannelFailure &&
      (error.kind === 'refused' ||
        (error.kind === 'ended' && (await this.end(channel, error, lease))));
    if (isFinal || attempts >= MAX_ATTEMPTS) {
      this.logger.warn(`An event of ${channel.id} was given up after ${attempts} attempts`);
      await this.answering.giveUp(channel.id, lease.row.event);
      return this.queue.finish(lease);
    }
    const asked = error instanceof ChannelFailure ? error.retryAfterMs : undefined;
    await this.queue.postpone(lease, asked ?? PAUSE_MS * 2 ** attempts);
  }

  /** @returns false if the token may work again, or there is a new one */
  private async end(
    channel: Channel,
    { message }: ChannelFailure,
    { row }: Lease<ChannelEventRow>,
  ): Promise<boolean> {
    try {
      return await this.connections.end(channel, message, row.id);
    } catch (error) {
      if (error instanceof ChannelFailure) return false;
      throw error;
    }
  }
}
