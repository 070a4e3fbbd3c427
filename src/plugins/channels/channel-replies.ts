import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { ChannelAnswer } from './channel-answer.entity.js';
import { ChannelConnections } from './channel-connections.js';
import { ChannelFailure, type ChannelReply, type ReplyTarget } from './channel-port.js';
import { ChannelPorts } from './channel-ports.js';
import { ChannelSecrets } from './channel-secrets.js';
import type { Channel } from './channel.entity.js';

type Unsent = Pick<ChannelAnswer, 'id' | 'place' | 'answerMessage' | 'reply'>;

/** Sends what the bot says. Each method throws ChannelFailure. */
@Injectable()
export class ChannelReplies {
  constructor(
    private readonly ports: ChannelPorts,
    private readonly secrets: ChannelSecrets,
    private readonly connections: ChannelConnections,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  canSend(channel: Channel): boolean {
    return this.secrets.open(channel).botToken !== null;
  }

  /** Sends an answer that was stored before. After a crash at this point it is sent again. */
  async send(channel: Channel, target: ReplyTarget, { id, reply }: Unsent): Promise<void> {
    if (!reply) return;
    const answerMessage = (await this.say(channel, target, reply)) ?? null;
    await this.unitOfWork.run((manager) =>
      manager.update(ChannelAnswer, { id }, { answerMessage, reply: null }),
    );
  }

  async replace(channel: Channel, { id, place, answerMessage, reply }: Unsent): Promise<void> {
    if (!reply || answerMessage === null) return;
    await this.call(channel, (token) =>
      this.ports.get(channel.type).replace(token, place, answerMessage, reply),
    );
    await this.unitOfWork.run((manager) => manager.update(ChannelAnswer, { id }, { reply: null }));
  }

  /** @returns the message */
  say(channel: Channel, target: ReplyTarget, reply: ChannelReply): Promise<string | undefined> {
    return this.call(channel, (token) => this.ports.get(channel.type).send(token, target, reply));
  }

  private async call<T>(channel: Channel, work: (token: string) => Promise<T>): Promise<T> {
    const { botToken } = this.secrets.open(channel);
    if (botToken === null) throw new ChannelFailure('refused', 'There is no bot token');
    const result = await work(botToken);
    await this.connections.note(channel, null);
    return result;
  }
}
