import { Injectable } from '@nestjs/common';
import type { ChannelUser } from './channel-port.js';
import { ChannelPorts } from './channel-ports.js';
import { ChannelSecrets } from './channel-secrets.js';
import type { Channel } from './channel.entity.js';

const KEPT_MS = 5 * 60 * 1000;
const MAX_KEPT = 1000;

/** Remembers for some minutes who somebody is, since chat services limit how often they say it. */
@Injectable()
export class ChannelPeople {
  private readonly known = new Map<string, { email: string | undefined; until: number }>();

  constructor(
    private readonly ports: ChannelPorts,
    private readonly secrets: ChannelSecrets,
  ) {}

  /** @returns undefined for somebody of another workspace, a guest, or if the chat service does not say it */
  async findEmail(channel: Channel, user: ChannelUser): Promise<string | undefined> {
    const { botToken } = this.secrets.open(channel);
    if (user.isStranger || botToken === null || channel.workspaceId === null) return undefined;
    const key = `${channel.id} ${channel.workspaceId} ${user.id}`;
    const found = this.known.get(key);
    if (found && found.until > Date.now()) return found.email;
    const port = this.ports.get(channel.type);
    const email = await port.findEmail(botToken, channel.workspaceId, user);
    const [oldest] = this.known.keys();
    if (this.known.size >= MAX_KEPT && oldest !== undefined) this.known.delete(oldest);
    this.known.set(key, { email, until: Date.now() + KEPT_MS });
    return email;
  }
}
