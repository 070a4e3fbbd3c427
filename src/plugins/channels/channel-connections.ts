import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Events } from '../../knowledge-bases/events/events.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { type ChannelConnection, ChannelFailure } from './channel-port.js';
import { ChannelPorts } from './channel-ports.js';
import { Channel, type ChannelType } from './channel.entity.js';
import { findChannel } from './find-channel.js';

/** Whether the bot of a channel reaches its workspace, and why not. */
@Injectable()
export class ChannelConnections {
  constructor(
    private readonly ports: ChannelPorts,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
  ) {}

  /** @throws Problem `validation_failed` for a token that is refused, or `chat_service_unavailable` */
  async connect(type: ChannelType, token: string | null): Promise<ChannelConnection | undefined> {
    if (token === null) return undefined;
    try {
      return await this.ports.get(type).connect(token);
    } catch (error) {
      if (!(error instanceof ChannelFailure)) throw error;
      if (error.kind === 'busy') throw new Problem('chat_service_unavailable');
      throw invalidField('bot_token', `bot_token was refused: ${error.message}`);
    }
  }

  /** Notes how sending went, for the owners of the channel. */
  async note({ id, lastError: before }: Channel, lastError: string | null): Promise<void> {
    if (before === lastError) return;
    await this.unitOfWork.run((manager) => manager.update(Channel, { id }, { lastError }));
  }

  /**
   * Pauses a channel whose bot cannot answer any more, once.
   *
   * @param requestId the event that said so
   */
  async end(manager: EntityManager, id: string, reason: string, requestId: string): Promise<void> {
    const ended = { state: 'paused' as const, lastError: reason };
    const { affected } = await manager.update(Channel, { id, state: 'active' }, ended);
    const channel = affected === 1 ? await findChannel(manager, id) : null;
    if (!channel) return;
    const { ownerId: kbId } = channel.apiKey;
    const details = { fields: ['state'], reason };
    const event = { kbId, action: 'channel.updated', targetId: id, details } as const;
    await this.events.recordChange(manager, { id: channel.type, requestId }, event);
  }
}
