import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { ApiKey } from '../../api-keys/api-key.entity.js';
import { Budgets } from '../../api-keys/budgets.js';
import {
  changeKeyWithoutSecret,
  countMessagesOfToday,
  insertKeyWithoutSecret,
} from '../../api-keys/key-without-secret.js';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import { changedFields } from '../../knowledge-bases/audit/changed-fields.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Events, shownId } from '../../knowledge-bases/events/events.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { Config } from '../../platform/config/config.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { newId } from '../../platform/http/type-id.js';
import { Idempotency, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Problem, quotaReached } from '../../platform/problems/problem.js';
import { ChannelConnections } from './channel-connections.js';
import type { CreateChannelDto, UpdateChannelDto } from './channel-requests.dto.js';
import { ChannelSecrets } from './channel-secrets.js';
import { type ChannelDto, toChannelDto } from './channel.dto.js';
import { Channel, type ChannelType } from './channel.entity.js';
import { findChannel } from './find-channel.js';

const CHANGE = { role: 'member', lock: 'knowledge base' } as const;
const DEFAULTS = { type: 'slack', dailyMessages: 500, perUser: 10 } as const;
const NO_TOKEN = { workspaceId: null, workspaceName: null, botUserId: null };

/** Creates, changes and lists channels. Each has a key of its own, which nobody has the secret of. */
@Injectable()
@ResolvesResource({ resource: 'channel', prefix: 'chan', withoutDocuments: true })
export class ChannelsService implements ResourceResolver {
  constructor(
    @InjectRepository(Channel) private readonly channels: Repository<Channel>,
    private readonly access: KnowledgeBaseAccess,
    private readonly budgets: Budgets,
    private readonly connections: ChannelConnections,
    private readonly secrets: ChannelSecrets,
    private readonly idempotency: Idempotency,
    private readonly events: Events,
    private readonly config: Config,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    return (await findChannel(this.channels.manager, id))?.apiKey.ownerId;
  }

  async create(
    user: DashboardUser,
    kbId: string,
    dto: CreateChannelDto,
    request?: IdempotentRequest,
  ): Promise<ChannelDto> {
    await this.access.requireMember(user, kbId);
    const { type = DEFAULTS.type, bot_token: token = null } = dto;
    const connection = await this.connections.connect(type, token);
    const { answer } = await this.access.change(user, kbId, CHANGE, (manager) =>
      this.idempotency.once(manager, user.id, request, () =>
        this.insert(manager, user, kbId, { ...dto, type }, connection ?? NO_TOKEN),
      ),
    );
    return answer;
  }

  async list(user: DashboardUser, kbId: string, query: PageQueryDto): Promise<Page<ChannelDto>> {
    await this.access.requireMember(user, kbId);
    const rows = this.channels
      .createQueryBuilder('channel')
      .innerJoinAndSelect('channel.apiKey', 'key', 'key.ownerId = :kbId', { kbId });
    const { data, ...page } = await paginate(rows, query, (channel) => channel);
    return {
      data: await Promise.all(data.map((one) => this.toDto(this.channels.manager, one))),
      ...page,
    };
  }

  async get(user: DashboardUser, id: string): Promise<ChannelDto> {
    const channel = await this.find(id);
    await this.access.requireMember(user, channel.apiKey.ownerId);
    return this.toDto(this.channels.manager, channel);
  }

  async update(user: DashboardUser, id: string, dto: UpdateChannelDto): Promise<ChannelDto> {
    const fields = changedFields(dto);
    if (fields.length === 0) return this.get(user, id);
    const { apiKey, type } = await this.find(id);
    const { ownerId: kbId } = apiKey;
    await this.access.requireMember(user, kbId);
    const { bot_token: token, signing_secret: signingSecret } = dto;
    const connection = await this.connections.connect(type, token ?? null);
    return this.access.change(user, kbId, CHANGE, async (manager) => {
      const before = await this.find(id, manager);
      const opened = this.secrets.open(before);
      const isSecret = token !== undefined || signingSecret !== undefined;
      const secrets = {
        signingSecret: signingSecret === undefined ? opened.signingSecret : signingSecret,
        botToken: token === undefined ? opened.botToken : token,
      };
      const columns = {
        name: dto.name,
        state: dto.state ?? (connection ? 'active' : undefined),
        ...(isSecret && this.secrets.seal(id, secrets)),
        ...(token !== undefined && { ...(connection ?? NO_TOKEN), lastError: null }),
        updatedAt: new Date(),
      };
      await manager.update(Channel, { id }, columns);
      await changeKeyWithoutSecret(manager, this.budgets, apiKey.id, {
        name: dto.name,
        messagesPerDay: dto.daily_messages,
        perEndUserAndMinute: dto.per_user_per_minute,
      });
      const event = { kbId, action: 'channel.updated', targetId: id, details: { fields } } as const;
      await this.events.recordChange(manager, user, event);
      return this.toDto(manager, await this.find(id, manager));
    });
  }

  /** Deletes a channel with its secrets: once this returns, every later request for it is refused. */
  async delete(user: DashboardUser, id: string): Promise<void> {
    const { apiKey, name } = await this.find(id);
    const kbId = apiKey.ownerId;
    await this.access.change(user, kbId, CHANGE, async (manager) => {
      const living = { id: apiKey.id, deletedAt: IsNull() };
      const { affected } = await manager.update(ApiKey, living, { deletedAt: new Date() });
      if (affected !== 1) throw new Problem('not_found');
      await manager.update(Channel, { id }, { signingSecret: null, botToken: null });
      const event = { kbId, action: 'channel.deleted', targetId: id, details: { name } } as const;
      await this.events.recordChange(manager, user, event);
    });
  }

  private async insert(
    manager: EntityManager,
    user: DashboardUser,
    kbId: string,
    dto: CreateChannelDto & { readonly type: ChannelType },
    connection: Pick<Channel, keyof typeof NO_TOKEN>,
  ): Promise<ChannelDto> {
    const { type, name, signing_secret: signingSecret = null, bot_token: botToken = null } = dto;
    const now = new Date();
    const [id, createdBy] = [newId('chan'), shownId(user)];
    const apiKeyId = await insertKeyWithoutSecret(
      manager,
      { id, kbId, name, createdBy },
      {
        messagesPerDay: dto.daily_messages ?? DEFAULTS.dailyMessages,
        perEndUserAndMinute: dto.per_user_per_minute ?? DEFAULTS.perUser,
      },
    );
    await manager.insert(Channel, {
      ...{ id, apiKeyId, type, name, ...connection },
      ...this.secrets.seal(id, { signingSecret, botToken }),
      ...{ state: 'active', createdBy, createdAt: now, updatedAt: now },
    });
    const living = { apiKey: { ownerId: kbId, deletedAt: IsNull() } };
    const { MAX_API_KEYS_PER_KNOWLEDGE_BASE: limit } = this.config;
    if ((await manager.countBy(Channel, living)) > limit) {
      throw quotaReached('MAX_API_KEYS_PER_KNOWLEDGE_BASE', limit);
    }
    const details = { type, name };
    const event = { kbId, action: 'channel.created', targetId: id, details } as const;
    await this.events.recordChange(manager, user, event);
    return this.toDto(manager, await this.find(id, manager));
  }

  /** @throws Problem `not_found` */
  private async find(id: string, manager = this.channels.manager): Promise<Channel> {
    const channel = await findChannel(manager, id);
    if (!channel) throw new Problem('not_found');
    return channel;
  }

  private async toDto(manager: EntityManager, channel: Channel): Promise<ChannelDto> {
    return toChannelDto(channel, await countMessagesOfToday(manager, this.budgets, channel.apiKey));
  }
}
