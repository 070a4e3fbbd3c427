import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { noteChange } from '../knowledge-bases/access-rules/access-rules.js';
import { distinctNames } from '../knowledge-bases/access-rules/principals.js';
import { changedFields } from '../knowledge-bases/audit/changed-fields.js';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Config } from '../platform/config/config.js';
import { databaseNow } from '../platform/database/database-now.js';
import { containing } from '../platform/database/dialect.js';
import type { Page } from '../platform/http/page.dto.js';
import { paginate } from '../platform/http/paginate.js';
import { type ResourceResolver, ResolvesResource } from '../knowledge-bases/access.js';
import { personsOnly } from '../knowledge-bases/opens-to.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import {
  type ChangeOptions,
  KnowledgeBaseAccess,
} from '../knowledge-bases/knowledge-base-access.js';
import { invalidField, Problem } from '../platform/problems/problem.js';
import { ListApiKeysDto, UpdateApiKeyDto } from './api-key-requests.dto.js';
import { ApiKeyDto, toApiKeyDto } from './api-key.dto.js';
import { keyStatus, sqlKeyStatus } from './api-key-status.js';
import { ApiKeyGrant } from './api-key-grant.entity.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyQuota } from './api-key-quota.js';
import { ApiKeyTransitions } from './api-key-transitions.js';
import { Budgets } from './budgets.js';
import { requirePolicy } from './key-policy.js';
import { requireCompatibleGrant, requireExpiryWithin } from './key-rules.js';
import { withoutSecret } from './secret.js';
import {
  findApiKey,
  lockApiKey,
  WITH_SECRET,
  findGrants,
  findOpenedKbIds,
  whereOpening,
} from './find-api-key.js';

/** Lists, changes and revokes API keys for dashboard users. ApiKeyIssuer creates them. */
@Injectable()
@ResolvesResource({ resource: 'key', prefix: 'key', withoutDocuments: true })
export class ApiKeysService implements ResourceResolver {
  constructor(
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
    private readonly access: KnowledgeBaseAccess,
    private readonly transitions: ApiKeyTransitions,
    private readonly quota: ApiKeyQuota,
    private readonly settings: SettingsService,
    private readonly config: Config,
    private readonly budgets: Budgets,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    const key = await this.apiKeys.findOneBy({ id, ...WITH_SECRET });
    return key?.ownerId;
  }

  /** @param kbId of a knowledge base or a service account */
  async list(user: DashboardUser, kbId: string, dto: ListApiKeysDto): Promise<Page<ApiKeyDto>> {
    await this.access.requireMember(user, kbId);
    const all = this.apiKeys
      .createQueryBuilder('key')
      .leftJoinAndSelect('key.activity', 'activity');
    const keys = whereOpening(all, kbId);
    if (dto.environment) keys.andWhere({ environment: dto.environment });
    if (dto.q !== undefined) {
      keys.andWhere(
        `(LOWER(key.name) LIKE LOWER(:pattern) ESCAPE '\\' OR LOWER(key.prefix) LIKE LOWER(:pattern) ESCAPE '\\')`,
        { pattern: containing(withoutSecret(dto.q)) },
      );
    }
    const { manager } = this.apiKeys;
    if (dto.active !== undefined) {
      const status = sqlKeyStatus('key', manager.dataSource);
      keys.andWhere(`${status} ${dto.active ? '=' : '<>'} 'usable'`);
    }
    const { data, ...page } = await paginate(keys, dto, (key) => key);
    return { data: await this.toDtos(user, data, manager), ...page };
  }

  async get(user: DashboardUser, keyId: string): Promise<ApiKeyDto> {
    return this.toDto(user, await this.find(user, keyId));
  }

  async toDto(user: DashboardUser, key: ApiKey, manager?: EntityManager): Promise<ApiKeyDto> {
    const [dto] = await this.toDtos(user, [key], manager);
    if (!dto) throw new Problem('not_found');
    return dto;
  }

  /**
   * Finds the knowledge bases whose members may change a key in a way that could give it more rights: all
   * that it opens, since a right in one of them must not open the others.
   *
   * @throws Problem `insufficient_role` without access to another one than the main one
   */
  async findKbIdsToAuthorize(user: DashboardUser, key: ApiKey): Promise<string[]> {
    const { manager } = this.apiKeys;
    const kbIds = await findOpenedKbIds(manager, key);
    const [, ...others] = kbIds;
    const visible = await this.access.findVisible(user, others);
    if (others.every((id) => visible.has(id))) return kbIds;
    throw new Problem('insufficient_role', {
      detail: 'The key has further knowledge bases: you need access to all of them.',
    });
  }

  /** Runs `work` in a transaction for a member of all knowledge bases of a key. */
  async changeIn<T>(
    user: DashboardUser,
    kbIds: readonly string[],
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const [main = '', ...others] = kbIds;
    if (others.length > 0) return this.access.changeAll(user, kbIds, 'member', work);
    return this.access.change(user, main, { role: 'member', lock: 'knowledge base' }, work);
  }

  /** Shows with each key only the knowledge bases that the user may see. */
  private async toDtos(
    user: DashboardUser,
    keys: readonly ApiKey[],
    manager = this.apiKeys.manager,
  ): Promise<ApiKeyDto[]> {
    const now = await databaseNow(manager);
    const ids = keys.map(({ id }) => id);
    const grants = await findGrants(manager, ids);
    const shared = [...grants.values()].filter(({ length }) => length > 1).flat();
    const kbIds = shared.map(({ kbId }) => kbId);
    const visible = await this.access.findVisible(user, kbIds, manager);
    return keys.map((key) => {
      const opened = grants.get(key.id) ?? [];
      const shown = opened.length > 1 ? opened.filter(({ kbId }) => visible.has(kbId)) : opened;
      return toApiKeyDto(key, shown, now, this.config);
    });
  }

  async update(user: DashboardUser, keyId: string, dto: UpdateApiKeyDto): Promise<ApiKeyDto> {
    const fields = changedFields(dto);
    if (fields.length === 0) return this.get(user, keyId);
    const { scopes, filter } = dto;
    const columns = {
      description: dto.description,
      expiresAt: typeof dto.expires_at === 'string' ? new Date(dto.expires_at) : dto.expires_at,
      rateLimitPerMinute: dto.rate_limit_per_minute,
      rateLimitPerEndUser: dto.rate_limit_per_end_user,
      budget: dto.budget,
      allowedIps: dto.allowed_ips,
      principals: dto.principals && distinctNames(dto.principals),
      selfRotationGraceSeconds: dto.self_rotation && dto.self_rotation.grace_seconds,
      dpopJkt: dto.sender_constraint && dto.sender_constraint.jkt,
    };
    // These changes need the lock of the knowledge base. A later expiry can make an expired key usable,
    // which then counts towards the quota. A change of principals is noted at the knowledge base, which is
    // locked before keys. A budget belongs to several keys, which parallel changes would lock in different
    // orders.
    const { expiresAt, principals, budget } = columns;
    const isAlone = [expiresAt, principals, budget].every((value) => value === undefined);
    const lock = isAlone ? 'membership' : 'knowledge base';
    return this.changeWhole(user, keyId, lock, async (manager, key) => {
      if (key.ownerType === 'service_account') requireManagementFields(user, fields);
      const now = await databaseNow(manager);
      const kbIds = await findOpenedKbIds(manager, key);
      if (key.rotatedTo !== null && putsOffExpiry(key, columns.expiresAt)) {
        throw new Problem('already_rotated', {
          detail:
            'The API key has been rotated: its expires_at can only be moved to an earlier time.',
        });
      }
      if (columns.expiresAt !== undefined) {
        const maxAgeDays = await this.settings.keyMaxAgeDays(manager, kbIds);
        requireExpiryWithin(key, columns.expiresAt, now, maxAgeDays);
      }
      const restricted = {
        ...key,
        ...(columns.expiresAt !== undefined && { expiresAt: columns.expiresAt }),
        ...(columns.allowedIps !== undefined && { allowedIps: columns.allowedIps }),
      };
      requirePolicy(restricted, this.config, fields);
      if (scopes !== undefined || filter !== undefined) {
        await changeGrant(manager, key, { scopes, filter });
      }
      await this.transitions.apply(manager, user, 'update', key, {
        // An update needs a column, also if only the grant is changed.
        columns: { ...columns, name: dto.name ?? key.name },
        details: { fields },
      });
      const { ownerId, rotationRoot } = key;
      if (budget !== undefined) {
        // All keys of a rotation line have the same owner, by which they are found.
        await manager.update(ApiKey, { ownerId, rotationRoot }, { budget });
        if (budget) await this.budgets.change(manager, { ...key, kbId: ownerId }, budget);
      }
      for (const id of kbIds) {
        if (principals) await noteChange(manager, id);
        if (columns.expiresAt !== undefined && keyStatus(key, now) === 'expired') {
          await this.quota.require(manager, id);
        }
      }
      return this.toDto(user, await findApiKey(manager, keyId), manager);
    });
  }

  /** Revokes a key: once this returns, every later request with it is refused. It is idempotent. */
  async revoke(user: DashboardUser, keyId: string): Promise<void> {
    await this.change(user, keyId, 'membership', (manager, key) =>
      this.transitions.apply(manager, user, 'revoke', key, { details: { prefix: key.prefix } }),
    );
  }

  /** Keeps the row of the key, so that requests with it can be recognized and counted. */
  async delete(user: DashboardUser, keyId: string): Promise<void> {
    await this.change(user, keyId, 'membership', (manager, key) => {
      const { name, prefix } = key;
      return this.transitions.apply(manager, user, 'delete', key, { details: { name, prefix } });
    });
  }

  /**
   * Finds a key that the user may see.
   *
   * @throws Problem `not_found`
   */
  async find(user: DashboardUser, keyId: string): Promise<ApiKey> {
    const key = await findApiKey(this.apiKeys.manager, keyId);
    requireOwnKey(user, key);
    await this.access.requireMember(user, key.ownerId);
    return key;
  }

  /** Changes a key where the change affects all of its knowledge bases. */
  private async changeWhole<T>(
    user: DashboardUser,
    keyId: string,
    lock: ChangeOptions['lock'],
    work: (manager: EntityManager, key: ApiKey) => Promise<T>,
  ): Promise<T> {
    const kbIds = await this.findKbIdsToAuthorize(
      user,
      await findApiKey(this.apiKeys.manager, keyId),
    );
    if (kbIds.length === 1) return this.change(user, keyId, lock, work);
    return this.changeIn(user, kbIds, async (manager) =>
      work(manager, await lockApiKey(manager, keyId)),
    );
  }

  /** Runs `work` in a transaction, with the key locked. */
  private async change<T>(
    user: DashboardUser,
    keyId: string,
    lock: ChangeOptions['lock'],
    work: (manager: EntityManager, key: ApiKey) => Promise<T>,
  ): Promise<T> {
    const { access } = user;
    const ownerId =
      access?.resourceId === keyId
        ? access.kbId
        : (await findApiKey(this.apiKeys.manager, keyId)).ownerId;
    return this.access.change(user, ownerId, { role: 'member', lock }, async (manager) => {
      const key = await lockApiKey(manager, keyId);
      // The key may have lost the knowledge base in the meantime.
      if (key.ownerId !== ownerId) throw new Problem('not_found');
      requireOwnKey(user, key);
      return work(manager, key);
    });
  }
}

/**
 * Changes what a key may do in the knowledge base that owns it.
 *
 * @throws Problem `validation_failed`
 */
async function changeGrant(
  manager: EntityManager,
  { id: keyId, ownerId: kbId }: ApiKey,
  { scopes, filter }: Partial<Pick<ApiKeyGrant, 'scopes' | 'filter'>>,
): Promise<void> {
  const grant = await manager.findOneByOrFail(ApiKeyGrant, { keyId, kbId });
  requireCompatibleGrant({
    scopes: scopes ?? grant.scopes,
    filter: filter === undefined ? grant.filter : filter,
  });
  await manager.update(ApiKeyGrant, { keyId, kbId }, { scopes, filter });
}

/**
 * A service account may see and change only the key that it uses, because its other keys may have more
 * rights.
 *
 * @throws Problem `not_found`
 */
function requireOwnKey({ serviceAccount }: DashboardUser, key: ApiKey): void {
  if (serviceAccount && key.ownerType === 'service_account' && key.id !== serviceAccount.keyId) {
    throw new Problem('not_found');
  }
}

const MANAGEMENT_FIELDS = ['name', 'description', 'expires_at', 'allowed_ips'];

/**
 * A service account cannot change its key, because it could give itself more rights. Its key has no fields
 * that restrict questions.
 */
function requireManagementFields({ serviceAccount }: DashboardUser, fields: string[]): void {
  if (serviceAccount) throw personsOnly();
  const wrong = fields.find((field) => !MANAGEMENT_FIELDS.includes(field));
  if (wrong !== undefined) {
    throw invalidField(wrong, `${wrong} cannot be changed for a key of a service account`);
  }
}

/** @param end the new expiry; undefined leaves the key's own, null removes it */
function putsOffExpiry({ expiresAt }: ApiKey, end: Date | null | undefined): boolean {
  if (end === undefined) return false;
  return end === null || expiresAt === null || end > expiresAt;
}
