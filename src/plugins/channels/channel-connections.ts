import { Injectable } from '@nestjs/common';
import { Events } from '../../knowledge-bases/events/events.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { type ChannelConnection, ChannelFailure } from './channel-port.js';
import { ChannelPorts } from './channel-ports.js';
import { ChannelSecrets } from './channel-secrets.js';
import { Channel, type ChannelType } from './channel.entity.js';

/** Whether the bot of a channel reaches its workspace, and why not. */
@Injectable()
export class ChannelConnections {
  constructor(
    private readonly ports: ChannelPorts,
    private readonly secrets: ChannelSecrets,
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
   * Pauses a channel whose bot cannot answer any more, once. What says so may be late: unless it happened after the
   * last change of the channel, the token is tried. Nothing is changed if there is a new one.
   *
   * @param requestId the event that said so
   * @param at when it happened, in milliseconds since 1970
   * @returns whether the token has ended
   * @throws ChannelFailure `busy`
   */
  async end(channel: Channel, reason: string, requestId: string, at = 0): Promise<boolean> {
    const { id, type, botToken, apiKey, updatedAt } = channel;
    const isNews = at > updatedAt.getTime();
    if (botToken === null || !(isNews || (await this.hasEnded(channel)))) return false;
    return this.unitOfWork.run(async (manager) => {
      const ended = { state: 'paused' as const, lastError: reason };
      const { affected } = await manager.update(Channel, { id, botToken, state: 'active' }, ended);
      if (affected !== 1) return manager.existsBy(Channel, { id, botToken });
      const details = { fields: ['state'], reason };
      const event = {
        kbId: apiKey.ownerId,
        action: 'channel.updated',
        targetId: id,
        details,
      } as const;
      await this.events.recordChange(manager, { id: type, requestId }, event);
      return true;
    });
  }

  private async hasEnded(channel: Channel): Promise<boolean> {
    const { botToken } = this.secrets.open(channel);
    if (botToken === null) return false;
    try {
      await this.ports.get(channel.type).connect(botToken);
      return false;
    } catch (error) {
      if (error instanceof ChannelFailure && error.kind !== 'busy') return error.kind === 'ended';
      throw error;
    }
  }
}
