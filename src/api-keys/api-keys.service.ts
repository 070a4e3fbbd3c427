import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { noteChange } from '../knowledge-bases/access-rules/access-rules.js';
import { distinctNames } from '../knowledge-bases/access-rules/principals.js';
import { changedFields } from '../knowledge-bases/audit/changed-fields.js';
import { countsAlike } from '../knowledge-bases/budgets/budget.js';
import { forgetBudgetCounts } from '../knowledge-bases/budgets/budget-counts.js';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { databaseNow } from '../platform/database/database-now.js';
import { containing } from '../platform/database/dialect.js';
import type { Page } from '../platform/http/page.dto.js';
import { paginate } from '../platform/http/paginate.js';
import { type AccessOwner, OwnsResource } from '../knowledge-bases/access.js';
import { personsOnly } from '../knowledge-bases/management-scope.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import {
  type ChangeOptions,
  KnowledgeBaseAccess,
} from '../knowledge-bases/knowledge-base-access.js';
import { invalidField, Problem } from '../platform/problems/problem.js';
import { ListApiKeysDto, UpdateApiKeyDto } from './api-key-requests.dto.js';
import { ApiKeyDto, toApiKeyDto } from './api-key.dto.js';
import { keyStatus, sqlKeyStatus } from './api-key-status.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyQuota } from './api-key-quota.js';
import { ApiKeyTransitions } from './api-key-transitions.js';
import { requireCompatible, requireExpiryWithin } from './key-rules.js';
import { withoutSecret } from './secret.js';
import { findApiKey, keysOf, lockApiKey, ownerOf } from './find-api-key.js';

/** What dashboard users do with existing API keys; ApiKeyIssuer makes new ones. */
@Injectable()
@OwnsResource({ resource: 'key', prefix: 'key' })
export class ApiKeysService implements AccessOwner {
  constructor(
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
    private readonly access: KnowledgeBaseAccess,
    private readonly transitions: ApiKeyTransitions,
    private readonly quota: ApiKeyQuota,
    private readonly settings: SettingsService,
  ) {}

  async kbIdOf(id: string): Promise<string | undefined> {
    const key = await this.apiKeys.findOneBy({ id });
    return key ? ownerOf(key) : undefined;
  }

  /** @param ownerId of a knowledge base or a service account */
  async list(user: DashboardUser, ownerId: string, dto: ListApiKeysDto): Promise<Page<ApiKeyDto>> {
    await this.access.requireMember(user, ownerId);
    const keys = this.apiKeys
      .createQueryBuilder('key')
      .leftJoinAndSelect('key.activity', 'activity')
      .where(keysOf(ownerId));
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
    const now = await databaseNow(manager);
    return paginate(keys, dto, (key) => toApiKeyDto(key, now));
  }

  async get(user: DashboardUser, keyId: string): Promise<ApiKeyDto> {
    return toApiKeyDto(await this.find(user, keyId), await databaseNow(this.apiKeys.manager));
  }

  async update(user: DashboardUser, keyId: string, dto: UpdateApiKeyDto): Promise<ApiKeyDto> {
    const fields = changedFields(dto);
    if (fields.length === 0) return this.get(user, keyId);
    const columns = {
      name: dto.name,
      description: dto.description,
      expiresAt: typeof dto.expires_at === 'string' ? new Date(dto.expires_at) : dto.expires_at,
      rateLimitPerMinute: dto.rate_limit_per_minute,
      rateLimitPerEndUser: dto.rate_limit_per_end_user,
      budget: dto.budget,
      allowedIps: dto.allowed_ips,
      scopes: dto.scopes,
      filter: dto.filter,
      principals: dto.principals && distinctNames(dto.principals),
    };
    // A later expiry can make an expired key usable again, which then counts towards the quota; and the
    // change of principals is noted at the knowledge base, which is locked before keys are.
    const isAlone = columns.expiresAt === undefined && columns.principals === undefined;
    const lock = isAlone ? 'membership' : 'knowledge base';
    return this.change(user, keyId, lock, async (manager, key) => {
      if (key.serviceAccountId !== null) requireManagementFields(user, fields);
      const now = await databaseNow(manager);
      if (key.rotatedTo !== null && putsOffExpiry(key, columns.expiresAt)) {
        throw new Problem('already_rotated', {
          detail: 'The API key has a successor: its expires_at may only be brought forward.',
        });
      }
      if (columns.expiresAt !== undefined) {
        const maxAgeDays = await this.settings.keyMaxAgeDays(manager, ownerOf(key));
        requireExpiryWithin(key, columns.expiresAt, now, maxAgeDays);
      }
      requireCompatible({
        scopes: columns.scopes ?? key.scopes,
        filter: columns.filter === undefined ? key.filter : columns.filter,
      });
      await this.transitions.apply(manager, user, 'update', key, { columns, details: { fields } });
      // What was used before, or in another unit, is counted anew from the records of usage.
      if (columns.budget && key.kbId !== null && !countsAlike(columns.budget, key.budget)) {
        await forgetBudgetCounts(manager, key.kbId, key.rotationRoot);
      }
      if (columns.principals && key.kbId !== null) await noteChange(manager, key.kbId);
      if (columns.expiresAt !== undefined && keyStatus(key, now) === 'expired') {
        await this.quota.require(manager, ownerOf(key));
      }
      return toApiKeyDto(await findApiKey(manager, keyId), now);
    });
  }

  /** When this returns, every later request with the key is refused. Idempotent. */
  async revoke(user: DashboardUser, keyId: string): Promise<void> {
    await this.change(user, keyId, 'membership', (manager, key) =>
      this.transitions.apply(manager, user, 'revoke', key, { details: { prefix: key.prefix } }),
    );
  }

  /** Keeps the row, so that requests with the deleted key can be recognized and counted. */
  async delete(user: DashboardUser, keyId: string): Promise<void> {
    await this.change(user, keyId, 'membership', (manager, key) => {
      const { name, prefix } = key;
      return this.transitions.apply(manager, user, 'delete', key, { details: { name, prefix } });
    });
  }

  /**
   * The key, for a user who may see it.
   *
   * @throws Problem `not_found`
   */
  async find(user: DashboardUser, keyId: string): Promise<ApiKey> {
    const key = await findApiKey(this.apiKeys.manager, keyId);
    requireOwnKey(user, key);
    await this.access.requireMember(user, ownerOf(key));
    return key;
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
        : ownerOf(await findApiKey(this.apiKeys.manager, keyId));
    return this.access.change(user, ownerId, { role: 'member', lock }, async (manager) => {
      const key = await lockApiKey(manager, keyId);
      requireOwnKey(user, key);
      return work(manager, key);
    });
  }
}

/**
 * Of service accounts' keys, a service account sees and changes the one that it uses: any other one may
 * be wider.
 *
 * @throws Problem `not_found`
 */
function requireOwnKey({ serviceAccount }: DashboardUser, key: ApiKey): void {
  if (serviceAccount && key.serviceAccountId !== null && key.id !== serviceAccount.keyId) {
    throw new Problem('not_found');
  }
}

const MANAGEMENT_FIELDS = ['name', 'description', 'expires_at', 'allowed_ips'];

/**
 * A service account cannot change its key, which could widen it; and its key has no fields that restrict
 * questions.
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
