import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, LessThan } from 'typeorm';
import { insertRows } from '../../platform/database/insert-rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { invalidField } from '../../platform/problems/problem.js';
import { ChannelEventRow } from './channel-event.entity.js';
import { ChannelJob } from './channel-job.js';
import type { Received, ReceivedEvent } from './channel-port.js';
import { ChannelPorts } from './channel-ports.js';
import { ChannelQueue } from './channel-queue.js';
import { Channel } from './channel.entity.js';

const MINUTE_MS = 60_000;
const MAX_KEY = 200;

/**
 * Receives the events of chat services: each is stored and queued once, and answered in the background, since the
 * chat service repeats what is not acknowledged within seconds.
 */
@Injectable()
export class ChannelIntake {
  constructor(
    private readonly ports: ChannelPorts,
    private readonly queue: ChannelQueue,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
  ) {}

  takeEvent(channel: Channel, body: unknown): Promise<object> {
    return this.take(channel, this.ports.get(channel.type).readEvent(body, channel));
  }

  takeCommand(channel: Channel, body: unknown): Promise<object> {
    return this.take(channel, this.ports.get(channel.type).readCommand(body, channel));
  }

  /**
   * @returns the body of the response
   * @throws Problem `validation_failed`
   */
  private async take(channel: Channel, read: Received | undefined): Promise<object> {
    if (!read) throw invalidField('type', 'type must be one that the chat service documents');
    const { body = {}, received } = read;
    const isNew = await this.unitOfWork.run(async (manager) => {
      await noteEvent(manager, channel.id);
      return received !== undefined && (await this.add(manager, channel.id, received));
    });
    if (isNew) this.jobs.start(ChannelJob);
    return body;
  }

  /** @returns false for a repeated event */
  private async add(
    manager: EntityManager,
    channelId: string,
    { key, event }: ReceivedEvent,
  ): Promise<boolean> {
    const id = `${channelId}:${key.slice(0, MAX_KEY)}`;
    const row = { id, channelId, event, createdAt: new Date() };
    const conflict = 'ON CONFLICT DO NOTHING RETURNING id';
    const rows = await insertRows(manager, ChannelEventRow, [row], conflict);
    if (rows.length === 1) await this.queue.add(manager, id);
    return rows.length === 1;
  }
}

/** Once a minute, so that a busy workspace does not write one row at each message. */
async function noteEvent(manager: EntityManager, id: string): Promise<void> {
  const lastEventAt = new Date();
  const before = LessThan(new Date(lastEventAt.getTime() - MINUTE_MS));
  for (const was of [IsNull(), before]) {
    const { affected } = await manager.update(Channel, { id, lastEventAt: was }, { lastEventAt });
    if (affected === 1) return;
  }
}
