import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, FindOptionsWhere, IsNull, MoreThanOrEqual, Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { databaseNow } from '../database/database-now.js';
import { Idempotency, IdempotentRequest } from '../idempotency/idempotency.js';
import type { Page } from '../http/page.dto.js';
import { paginate } from '../http/paginate.js';
import { Problem } from '../problems/problem.js';
import { AccessCheck } from '../knowledge-bases/access-check.js';
import { KnowledgeBasesService } from '../knowledge-bases/knowledge-bases.service.js';
import { ApiKeyIssuer, MintedSecret } from './api-key-issuer.js';
import {
  CreateApiKeyDto,
  ListApiKeysDto,
  RotateApiKeyDto,
  UpdateApiKeyDto,
} from './api-key-requests.dto.js';
import { ApiKeyDto, IssuedApiKeyDto, toApiKeyDto } from './api-key.dto.js';
import { ApiKey } from './api-key.entity.js';

const DEFAULT_GRACE_SECONDS = 86_400;
/** The last moment that every database can tell. */
const LATEST_EXPIRY = Date.parse('9999-12-31T23:59:59.999Z');

/** What dashboard users do with API keys. */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
    private readonly issuer: ApiKeyIssuer,
    private readonly knowledgeBases: KnowledgeBasesService,
    private readonly idempotency: Idempotency,
    private readonly auditLog: AuditLog,
    access: AccessCheck,
  ) {
    access.register('api-keys', {
      parameter: 'key_id',
      prefix: 'key',
      kbIdOf: async (id) => (await this.apiKeys.findOneBy({ id }))?.kbId,
    });
  }

  /** Its answer, and that of `rotate`, are the only ones that ever hold a secret. */
  async create(
    user: DashboardUser,
    kbId: string,
    dto: CreateApiKeyDto,
    request?: IdempotentRequest,
  ): Promise<IssuedApiKeyDto> {
    await this.knowledgeBases.requireMember(user, kbId);
    const minted = await this.issuer.mint(dto.environment);
    return this.issue(user, kbId, minted, request, async (manager) => {
      const id = await this.issuer.insert(
        manager,
        {
          kbId,
          name: dto.name,
          description: dto.description ?? null,
          environment: dto.environment,
          createdBy: user.id,
          ...settings(dto),
        },
        minted,
      );
      await this.auditLog.record(manager, user, {
        kbId,
        action: 'api_key.created',
        targetId: id,
        details: { name: dto.name, prefix: minted.kept.prefix },
      });
      return id;
    });
  }

  /** Makes a successor with the same settings; the old key goes on until the grace period ends. */
  async rotate(
    user: DashboardUser,
    keyId: string,
    dto: RotateApiKeyDto,
    request?: IdempotentRequest,
  ): Promise<IssuedApiKeyDto> {
    const { kbId, environment } = await this.find(user, keyId);
    const minted = await this.issuer.mint(environment);
    const grace = dto.grace_period_seconds ?? DEFAULT_GRACE_SECONDS;
    return this.issue(user, kbId, minted, request, (manager) =>
      this.insertSuccessor(manager, user, keyId, minted, grace),
    );
  }

  async list(user: DashboardUser, kbId: string, dto: ListApiKeysDto): Promise<Page<ApiKeyDto>> {
    await this.knowledgeBases.requireMember(user, kbId);
    const keys = this.apiKeys
      .createQueryBuilder('key')
      .leftJoinAndSelect('key.activity', 'activity')
      .where({ kbId });
    if (dto.environment) keys.andWhere({ environment: dto.environment });
    const now = new Date();
    if (dto.active !== undefined) {
      const usable = `key.state = 'active' AND (key.expiresAt IS NULL OR key.expiresAt > :now)`;
      keys.andWhere(dto.active ? usable : `NOT (${usable})`, { now });
    }
    return paginate(keys, dto, (key) => toApiKeyDto(key, now));
  }

  async get(user: DashboardUser, keyId: string): Promise<ApiKeyDto> {
    return toApiKeyDto(await this.find(user, keyId));
  }

  async update(user: DashboardUser, keyId: string, dto: UpdateApiKeyDto): Promise<ApiKeyDto> {
    const changes = { name: dto.name, description: dto.description, ...settings(dto) };
    const fields = Object.keys(dto).filter((field) => dto[field as keyof typeof dto] !== undefined);
    if (fields.length === 0) return this.get(user, keyId);
    return this.change(user, keyId, async (manager, { kbId }) => {
      const { affected } = await manager.update(
        ApiKey,
        endingNoLater(changes.expiresAt).map((one) => ({ id: keyId, deletedAt: IsNull(), ...one })),
        changes,
      );
      const changed = await findKey(manager, keyId);
      if (affected !== 1) {
        throw new Problem('already_rotated', {
          detail: 'The API key has a successor: its expires_at may only be brought forward.',
        });
      }
      await this.auditLog.record(manager, user, {
        kbId,
        action: 'api_key.updated',
        targetId: keyId,
        details: { fields },
      });
      return toApiKeyDto(changed);
    });
  }

  /** From the moment this returns no request with the key begins to succeed. Repeatable. */
  async revoke(user: DashboardUser, keyId: string): Promise<void> {
    await this.change(user, keyId, async (manager, { kbId, prefix }) => {
      const { affected } = await manager.update(
        ApiKey,
        { id: keyId, state: 'active', deletedAt: IsNull() },
        { state: 'deactivated', revokedAt: new Date(), revokedBy: user.id },
      );
      if (affected !== 1) return;
      await this.auditLog.record(manager, user, {
        kbId,
        action: 'api_key.revoked',
        targetId: keyId,
        details: { prefix },
      });
    });
  }

  /** Leaves a tombstone, which is only ever seen by the verifier. */
  async delete(user: DashboardUser, keyId: string): Promise<void> {
    await this.change(user, keyId, async (manager, { kbId, name, prefix }) => {
      const { affected } = await manager.update(
        ApiKey,
        { id: keyId, deletedAt: IsNull() },
        { deletedAt: new Date() },
      );
      if (affected !== 1) throw new Problem('not_found');
      await this.auditLog.record(manager, user, {
        kbId,
        action: 'api_key.deleted',
        targetId: keyId,
        details: { name, prefix },
      });
    });
  }

  /**
   * The key, for a user who may see it.
   *
   * @throws Problem `not_found`
   */
  async find(user: DashboardUser, keyId: string): Promise<ApiKey> {
    const key = await findKey(this.apiKeys.manager, keyId);
    await this.knowledgeBases.requireMember(user, key.kbId);
    return key;
  }

  /** Changes one key, by conditional updates. */
  private async change<T>(
    user: DashboardUser,
    keyId: string,
    work: (manager: EntityManager, key: ApiKey) => Promise<T>,
  ): Promise<T> {
    const key = await findKey(this.apiKeys.manager, keyId);
    const options = { role: 'member', lock: 'membership' } as const;
    return this.knowledgeBases.change(user, key.kbId, options, (manager) => work(manager, key));
  }

  /**
   * Issues a key once. The repetition of a request whose answer was lost gets the same key with a
   * new secret, as no secret is kept to be told again.
   */
  private async issue(
    user: DashboardUser,
    kbId: string,
    minted: MintedSecret,
    request: IdempotentRequest | undefined,
    insert: (manager: EntityManager) => Promise<string>,
  ): Promise<IssuedApiKeyDto> {
    const options = { role: 'member', lock: 'knowledge base' } as const;
    const key = await this.knowledgeBases.change(user, kbId, options, async (manager) => {
      const { first, answer } = await this.idempotency.once(
        manager,
        user.id,
        request,
        async () => ({
          id: await insert(manager),
        }),
      );
      if (!first) {
        await this.issuer.reissue(manager, answer.id, minted);
        await this.auditLog.record(manager, user, {
          kbId,
          action: 'api_key.reissued',
          targetId: answer.id,
          details: { prefix: minted.kept.prefix },
        });
      }
      return findKey(manager, answer.id);
    });
    return { ...toApiKeyDto(key), api_key: minted.secret };
  }

  private async insertSuccessor(
    manager: EntityManager,
    user: DashboardUser,
    keyId: string,
    minted: MintedSecret,
    graceSeconds: number,
  ): Promise<string> {
    const key = await manager.findOneBy(ApiKey, { id: keyId });
    if (!key) throw new Problem('not_found');
    if (key.state !== 'active') throw new Problem('api_key_revoked', { status: 409 });
    if (key.rotatedTo !== null) throw new Problem('already_rotated');
    const now = await databaseNow(manager);
    const { kbId, name, description, environment, expiresAt, rateLimitPerMinute } = key;
    const lifeSpanMs = expiresAt ? expiresAt.getTime() - key.createdAt.getTime() : undefined;
    const successorId = await this.issuer.insert(
      manager,
      {
        kbId,
        name,
        description,
        environment,
        rateLimitPerMinute,
        allowedIps: key.allowedIps,
        createdBy: user.id,
        expiresAt:
          lifeSpanMs === undefined
            ? null
            : new Date(Math.min(now.getTime() + lifeSpanMs, LATEST_EXPIRY)),
        rotatedFrom: keyId,
        rotationRoot: key.rotationRoot,
      },
      minted,
    );
    const graceEnd = new Date(now.getTime() + graceSeconds * 1000);
    const { affected } = await manager.update(
      ApiKey,
      { id: keyId, state: 'active', rotatedTo: IsNull(), deletedAt: IsNull() },
      {
        rotatedTo: successorId,
        expiresAt: expiresAt && expiresAt < graceEnd ? expiresAt : graceEnd,
      },
    );
    // Rotations wait for each other; a revoke or delete in between wins.
    if (affected !== 1) throw new Problem('api_key_revoked', { status: 409 });
    await this.auditLog.record(manager, user, {
      kbId,
      action: 'api_key.rotated',
      targetId: keyId,
      details: { successor_id: successorId, grace_period_seconds: graceSeconds },
    });
    return successorId;
  }
}

/** @throws Problem `not_found`, also when it is deleted */
async function findKey(manager: EntityManager, id: string): Promise<ApiKey> {
  const key = await manager.findOne(ApiKey, { where: { id }, relations: { activity: true } });
  if (!key) throw new Problem('not_found');
  return key;
}

/** Rotation cannot be undone: the end of a key that has a successor may only come earlier. */
function endingNoLater(end: Date | null | undefined): FindOptionsWhere<ApiKey>[] {
  if (end === undefined) return [{}];
  const open = { rotatedTo: IsNull() };
  return end === null ? [open] : [open, { expiresAt: MoreThanOrEqual(end) }];
}

/** What of a DTO the verifier enforces; undefined leaves it, null removes it. */
const settings = (dto: UpdateApiKeyDto) => ({
  expiresAt: typeof dto.expires_at === 'string' ? new Date(dto.expires_at) : dto.expires_at,
  rateLimitPerMinute: dto.rate_limit_per_minute,
  allowedIps: dto.allowed_ips,
});
