import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { KeyUsage } from '../usage/key-usage.js';
import type { ShownManagementKey } from '../knowledge-bases/dashboard-auth/management-keys.js';
import { DailyMessageLimit } from '../knowledge-bases/settings/daily-message-limit.js';
import { Config } from '../platform/config/config.js';
import { databaseNow } from '../platform/database/database-now.js';
import { mergeScopes, type PresentedApiKey, toGrants } from './api-key-admission.js';
import { unauthorized } from './api-key-status.js';
import { ApiKey } from './api-key.entity.js';
import { Budgets } from './budgets.js';
import { findNotices } from './key-notices.js';
import { earlier } from './key-rules.js';
import { type KeyConnection, type KeyConnections, KnowsKeyConnections } from './key-connections.js';
import type { KeyConnectionDto, KeyLimitsDto, KeyViewDto } from './key-view.dto.js';
import type { HeldKey } from './key-view.guard.js';
import { ManagementKeyUses } from './management-key-uses.js';
import { toSenderConstraint } from './sender-constraint.dto.js';
import { RateLimiter, rateLimitsIn } from './rate-limiter.js';

const USAGE_MS = 30 * 24 * 60 * 60 * 1000;

const NO_LIMITS: KeyLimitsDto = {
  rate_limit_per_minute: null,
  rate_limit_per_end_user: null,
  daily_message_limit: null,
  budget: null,
  budget_per_end_user: null,
};

type OpenedByKey = Pick<KeyViewDto, 'kind' | 'kbs' | 'scopes' | 'filter' | 'limits' | 'remaining'>;

/** Shows the holder of a key its rights and its remaining limits. It only reads. */
@Injectable()
export class KeyViewService implements OnModuleInit {
  private connections: KeyConnections | undefined;

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly usage: KeyUsage,
    private readonly managementUses: ManagementKeyUses,
    private readonly rateLimiter: RateLimiter,
    private readonly dailyMessages: DailyMessageLimit,
    private readonly budgets: Budgets,
    private readonly config: Config,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.connections = KnowsKeyConnections.find(this.discovery)[0]?.instance;
  }

  async get(held: HeldKey): Promise<KeyViewDto> {
    if ('managementKey' in held) {
      const { managementKey } = held;
      return this.toKeyView(managementKey.id, await describeManagementKey(managementKey));
    }
    const { key, token } = held;
    const opens = await this.describeApiKey(held);
    if (!token) return this.toKeyView(key.id, opens);
    // A visitor of a web page must not learn how often the page owner's key is used.
    const { expiresAt } = await this.find(key.id);
    return {
      id: key.id,
      name: null,
      ...opens,
      expires_at: earlier(token.expiresAt, expiresAt)?.toISOString() ?? null,
      usage_30d: null,
      notices: [],
      self_rotation: false,
      sender_constraint: toSenderConstraint(token.dpopJkt),
      connections: [],
    };
  }

  private async toKeyView(id: string, opens: OpenedByKey): Promise<KeyViewDto> {
    const key = await this.find(id);
    const notices = findNotices(key, await databaseNow(this.keys.manager), this.config);
    const usage = key.ownerType === 'service_account' ? this.managementUses : this.usage;
    const requests = await usage.requestsSince(id, new Date(Date.now() - USAGE_MS));
    return {
      id,
      name: key.name,
      ...opens,
      expires_at: key.expiresAt?.toISOString() ?? null,
      usage_30d: { requests },
      notices: notices.map(({ at, ...notice }) => ({ ...notice, at: at?.toISOString() ?? null })),
      self_rotation: key.selfRotationGraceSeconds !== null,
      sender_constraint: toSenderConstraint(key.dpopJkt),
      connections: ((await this.connections?.findConnections(id)) ?? []).map(toConnectionDto),
    };
  }

  private async describeApiKey(held: PresentedApiKey): Promise<OpenedByKey> {
    const { key, token } = held;
    const { ownerId: kbId, rotationRoot } = key;
    const { perMinute, perEndUser } = rateLimitsIn(key.settings, key);
    const { dailyMessageLimit, budgetPerEndUser } = key.settings;
    const dailyLimit = token ? null : dailyMessageLimit;
    const budget = token ? null : key.budget;
    const grants = toGrants(held);
    const open = grants.filter(({ scopes }) => scopes.length > 0);
    const { manager } = this.keys;
    return {
      kind: token ? 'client_token' : 'api_key',
      kbs: open.map(({ kbId: id, scopes, filter = null }) => ({
        kb_id: id,
        scopes: [...scopes],
        filter,
        role: null,
      })),
      scopes: mergeScopes(open),
      filter: grants[0]?.filter ?? null,
      limits: {
        rate_limit_per_minute: perMinute,
        rate_limit_per_end_user: perEndUser,
        daily_message_limit: dailyLimit,
        budget,
        budget_per_end_user: budgetPerEndUser,
      },
      remaining: {
        rate_limit_per_minute: await this.rateLimiter.remainingForKey(rotationRoot, perMinute),
        rate_limit_per_end_user:
          token?.endUserId !== undefined && perEndUser !== null
            ? await this.rateLimiter.remainingForEndUser(rotationRoot, token.endUserId, perEndUser)
            : null,
        daily_message_limit:
          dailyLimit === null
            ? null
            : await this.dailyMessages.countRemaining(manager, kbId, dailyLimit),
        budget:
          budget && (await this.budgets.remainingForKey(manager, { kbId, rotationRoot }, budget)),
        budget_per_end_user:
          token?.endUserId !== undefined && budgetPerEndUser
            ? await this.budgets.remainingForEndUser(
                manager,
                kbId,
                token.endUserId,
                budgetPerEndUser,
              )
            : null,
      },
    };
  }

  /** @throws Problem `invalid_api_key` for a key that was deleted meanwhile */
  private async find(id: string): Promise<ApiKey> {
    const key = await this.keys.findOneBy({ id });
    if (!key) throw unauthorized('invalid_api_key');
    return key;
  }
}

const toConnectionDto = (connection: KeyConnection): KeyConnectionDto => ({
  id: connection.id,
  client_name: connection.clientName,
  client_host: connection.clientHost,
  connected_at: connection.connectedAt.toISOString(),
  last_used_at: connection.lastUsedAt?.toISOString() ?? null,
});

async function describeManagementKey({
  scopes,
  findRoles,
}: ShownManagementKey): Promise<OpenedByKey> {
  const roles = await findRoles();
  return {
    kind: 'management_key',
    kbs: roles.map(({ kbId, role }) => ({
      kb_id: kbId,
      scopes: [...scopes],
      filter: null,
      role,
    })),
    scopes: [...scopes],
    filter: null,
    limits: NO_LIMITS,
    remaining: NO_LIMITS,
  };
}
