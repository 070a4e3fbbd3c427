import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FastifyRequest } from 'fastify';
import { Repository } from 'typeorm';
import { parseBody, readBytes } from '../../platform/http/request-body.js';
import { isTypeId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';
import { ChannelPorts } from './channel-ports.js';
import { ChannelSecrets } from './channel-secrets.js';
import { Channel } from './channel.entity.js';
import { findChannel } from './find-channel.js';

export type ChannelRequest = FastifyRequest & { channel?: Channel };

/** Admits requests that the channel's chat service has signed. */
@Injectable()
export class ChannelSignatureGuard implements CanActivate {
  constructor(
    @InjectRepository(Channel) private readonly channels: Repository<Channel>,
    private readonly ports: ChannelPorts,
    private readonly secrets: ChannelSecrets,
  ) {}

  /** @throws Problem `invalid_signature`, also for a channel that does not exist */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ChannelRequest>();
    const { channel_id: id } = request.params as { channel_id: string };
    const channel = isTypeId('chan', id) ? await findChannel(this.channels.manager, id) : null;
    const secret = channel && this.secrets.open(channel).signingSecret;
    // Nothing is read for a channel that nobody has.
    const body = channel && secret !== null ? await readBytes(request) : undefined;
    if (!body || !channel || secret === null) throw refused();
    const { headers } = request;
    if (!this.ports.get(channel.type).verify({ headers, body }, secret)) throw refused();
    parseBody(request, body);
    request.channel = channel;
    return true;
  }
}

const refused = () =>
  new Problem('invalid_signature', {
    headers: { 'www-authenticate': 'SlackSignature realm="channels"' },
  });

/** The channel of a request that the guard has admitted. */
export function requireChannel({ channel }: ChannelRequest): Channel {
  if (!channel) throw new Error('The route needs ChannelSignatureGuard');
  return channel;
}
