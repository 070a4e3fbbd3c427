import { Injectable } from '@nestjs/common';
import { hasLength, isStorableText } from '../../../platform/http/text.js';
import {
  type ChannelBot,
  type ChannelConnection,
  ChannelFailure,
  type ChannelPort,
  type ChannelReply,
  type ChannelUser,
  IsChannelPort,
  type Received,
  type ReplyTarget,
  type SignedRequest,
} from '../channel-port.js';
import { SlackApi } from './slack-api.js';
import { isId, isTime, readSlackCommand, readSlackEvent } from './slack-events.js';
import { toSlackMessage } from './slack-message.js';
import { verifySlackSignature } from './slack-signature.js';

interface SlackUser {
  readonly team_id?: unknown;
  readonly deleted?: unknown;
  readonly is_bot?: unknown;
  readonly is_restricted?: unknown;
  readonly is_ultra_restricted?: unknown;
  readonly is_stranger?: unknown;
  readonly profile?: { readonly email?: unknown };
}

const MAX_NAME = 200;
const MAX_EMAIL = 255;
const ASCII = /^[\x21-\x7e]+$/;

@Injectable()
@IsChannelPort()
export class SlackPort implements ChannelPort {
  readonly type = 'slack';

  constructor(private readonly api: SlackApi) {}

  verify(request: SignedRequest, signingSecret: string): boolean {
    return verifySlackSignature(request, signingSecret);
  }

  readEvent(body: unknown, bot: ChannelBot): Received | undefined {
    return readSlackEvent(body, bot);
  }

  readCommand(body: unknown, bot: ChannelBot): Received | undefined {
    return readSlackCommand(body, bot);
  }

  async connect(token: string): Promise<ChannelConnection> {
    const {
      team_id: id,
      team: name,
      user_id: bot,
      bot_id: botId,
    } = await this.api.read('auth.test', token);
    if (!isId(id) || !isId(bot)) {
      throw new ChannelFailure('busy', 'auth_test_incomplete');
    }
    // A user’s token would speak in that user’s name.
    if (typeof botId !== 'string') throw new ChannelFailure('refused', 'it is not a bot’s token');
    const isName = isStorableText(name) && hasLength(name, 1, MAX_NAME);
    const workspaceName = isName ? name : id;
    return { workspaceId: id, workspaceName, botUserId: bot };
  }

  /** Guests and people of other workspaces have an address too, which rules of documents do not mean. */
  async findEmail(
    token: string,
    workspaceId: string,
    { id }: ChannelUser,
  ): Promise<string | undefined> {
    try {
      const answer = await this.api.read('users.info', token, { user: id });
      const user = (answer['user'] ?? {}) as SlackUser;
      const isOther = user.team_id !== workspaceId || user.deleted === true || user.is_bot === true;
      const { is_restricted: guest, is_ultra_restricted: single, is_stranger: stranger } = user;
      if (isOther || guest === true || single === true || stranger === true) return undefined;
      const email = user.profile?.email;
      // Letters that fold to others would make one person of two.
      const isGiven = typeof email === 'string' && ASCII.test(email);
      return isGiven && hasLength(email, 1, MAX_EMAIL) ? email : undefined;
    } catch (error) {
      // Without the scope users:read.email nobody is known, and documents with rules stay closed.
      if (error instanceof ChannelFailure && error.kind === 'refused') return undefined;
      throw error;
    }
  }

  async send(token: string, target: ReplyTarget, reply: ChannelReply): Promise<string | undefined> {
    const message = toSlackMessage(reply);
    if ('replyUrl' in target) {
      const ephemeral = { response_type: 'ephemeral', replace_original: false };
      await this.api.reply(target.replyUrl, { ...message, ...ephemeral });
      return undefined;
    }
    const { place: channel, thread } = target;
    const posted = { ...message, channel, thread_ts: thread };
    const { ts } = await this.api.write('chat.postMessage', token, posted);
    return isTime(ts) ? ts : undefined;
  }

  async replace(token: string, place: string, ts: string, reply: ChannelReply): Promise<void> {
    await this.api.write('chat.update', token, { ...toSlackMessage(reply), channel: place, ts });
  }
}
