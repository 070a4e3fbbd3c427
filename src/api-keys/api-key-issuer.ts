import { shownId } from '../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { hash } from 'bcrypt';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import type { Actor } from '../knowledge-bases/events/event.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Config } from '../platform/config/config.js';
import { distinctNames } from '../knowledge-bases/access-rules/principals.js';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { databaseNow } from '../platform/database/database-now.js';
import { isTypeId, newId } from '../platform/http/type-id.js';
import { Idempotency, IdempotentRequest } from '../platform/idempotency/idempotency.js';
import type { KeyKind } from '../knowledge-bases/key-environment.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import { invalidField, Problem } from '../platform/problems/problem.js';
import type {
  CreateApiKeyDto,
  CreateSharedApiKeyDto,
  KeyKnowledgeBaseDto,
  RotateApiKeyDto,
} from './api-key-requests.dto.js';
import type { IssuedApiKeyDto } from './api-key.dto.js';
import { keyStatus, statusProblem } from './api-key-status.js';
import { ApiKeyGrant } from './api-key-grant.entity.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyQuota } from './api-key-quota.js';
import { ApiKeyTransitions } from './api-key-transitions.js';
import { ApiKeysService } from './api-keys.service.js';
import {
  findApiKey,
  findGrants,
  findOpenedKbIds,
  lockApiKey,
  toOwnerColumns,
} from './find-api-key.js';
import { requirePolicy } from './key-policy.js';
import { earlier, latestExpiry, newExpiry, requireCompatibleGrant } from './key-rules.js';
import { Peppers } from '../platform/peppers/peppers.js';
import { rotatedExpiry, successorExpiry } from './rotation.js';
import { DEFAULT_SCOPES } from './scope.js';
import { generateSecret, parsePrefix } from './secret.js';

const DEFAULT_GRACE_SECONDS = 86_400;

/** A new secret, and the columns derived from it. */
interface NewSecret {
  readonly secret: string;
  readonly columns: Pick<ApiKey, 'prefix' | 'secretHash' | 'fastHash' | 'pepperId'>;
}

/** The columns of a new key that the request decides. */
export type RequestedColumns = Pick<ApiKey, 'name' | 'description' | 'environment' | 'expiresAt'> &
  Pick<ApiKey, 'rateLimitPerMinute' | 'rateLimitPerEndUser' | 'budget' | 'allowedIps'> &
  Pick<ApiKey, 'managementScopes' | 'principals' | 'selfRotationGraceSeconds' | 'dpopJkt'>;

type NewApiKey = RequestedColumns &
  NewSecret['columns'] &
  Pick<ApiKey, 'id' | 'ownerType' | 'ownerId' | 'rotationRoot' | 'createdAt' | 'createdBy'> &
  Partial<Pick<ApiKey, 'rotatedFrom'>>;

type NewGrant = Pick<ApiKeyGrant, 'kbId' | 'scopes' | 'filter'>;

const toColumns = (dto: Omit<CreateApiKeyDto, 'scopes' | 'filter'>): RequestedColumns => ({
  name: dto.name,
  description: dto.description ?? null,
  environment: dto.environment,
  expiresAt: parseExpiry(dto),
  rateLimitPerMinute: dto.rate_limit_per_minute ?? null,
  rateLimitPerEndUser: dto.rate_limit_per_end_user ?? null,
  budget: dto.budget ?? null,
  allowedIps: dto.allowed_ips ?? null,
  managementScopes: null,
  principals: distinctNames(dto.principals ?? []),
  selfRotationGraceSeconds: dto.self_rotation?.grace_seconds ?? null,
  dpopJkt: dto.sender_constraint?.jkt ?? null,
});

/** @throws Problem `validation_failed` */
function toGrant({ kb_id: kbId, scopes, filter = null }: KeyKnowledgeBaseDto): NewGrant {
  const grant = { kbId, scopes: scopes ?? [...DEFAULT_SCOPES], filter };
  requireCompatibleGrant(grant);
  return grant;
}

export const parseExpiry = ({
  expires_at: at,
}: {
  readonly expires_at?: string | null;
}): Date | null => (typeof at === 'string' ? new Date(at) : null);

/** A key that has rotated itself. */
export interface SelfRotated {
  readonly successor: ApiKey;
  readonly secret: string;
  /** When the old key stops; null for never. */
  readonly replacedUntil: Date | null;
}

interface NewSuccessor {
  readonly successorId: string;
  readonly graceSeconds: number;
  readonly createdBy: string;
  /** More details of the event. */
  readonly details?: object | undefined;
}

/** How the holder of a key rotates it. */
export interface HolderRotation {
  readonly request?: IdempotentRequest | undefined;
  readonly graceSeconds?: number;
  /** More details of the event. */
  readonly details?: object;
}

/** Who issues a key. */
interface Issuing {
  readonly actor: Actor;
  /** To whom an Idempotency-Key belongs. */
  readonly requester: string;
  /** More details of the event. */
  readonly details?: object | undefined;
}

/** Creates and rotates API keys. Only its responses ever contain a secret. */
@Injectable()
export class ApiKeyIssuer {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly transitions: ApiKeyTransitions,
    private readonly quota: ApiKeyQuota,
    private readonly settings: SettingsService,
    private readonly idempotency: Idempotency,
    private readonly peppers: Peppers,
    private readonly config: Config,
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly access: KnowledgeBaseAccess,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  create(
    user: DashboardUser,
    kbId: string,
    dto: CreateApiKeyDto,
    request?: IdempotentRequest,
  ): Promise<IssuedApiKeyDto> {
    const { scopes, filter, ...rest } = dto;
    return this.createShared(user, { ...rest, kbs: [{ kb_id: kbId, scopes, filter }] }, request);
  }

  /** Creates a key for several knowledge bases. The user must be allowed to create keys in each of them. */
  createShared(
    user: DashboardUser,
    { kbs, ...dto }: CreateSharedApiKeyDto,
    request?: IdempotentRequest,
  ): Promise<IssuedApiKeyDto> {
    const [main] = kbs;
    if (!main) throw invalidField('kbs', 'kbs must not be empty');
    if (!kbs.every(({ kb_id }) => isTypeId('kb', kb_id))) throw new Problem('not_found');
    return this.createFor(user, main.kb_id, request, toColumns(dto), kbs.map(toGrant));
  }

  /** @param ownerId the first knowledge base of `grants`; without grants, a service account */
  async createFor(
    user: DashboardUser,
    ownerId: string,
    request: IdempotentRequest | undefined,
    columns: RequestedColumns,
    grants: readonly NewGrant[] = [],
  ): Promise<IssuedApiKeyDto> {
    const secret = await this.newSecret(columns.environment);
    const kbIds = listOpenedKbIds(ownerId, grants);
    return this.issue(user, kbIds, secret, request, async (manager, id) => {
      const maxAgeDays = await this.settings.keyMaxAgeDays(manager, kbIds);
      const createdAt = new Date();
      const key = {
        id,
        ...toOwnerColumns(ownerId),
        ...columns,
        expiresAt: newExpiry(columns.expiresAt, createdAt, maxAgeDays),
        rotationRoot: id,
        createdAt,
        createdBy: shownId(user),
        ...secret.columns,
      };
      await this.insert(manager, key, grants);
      const details = { name: columns.name, prefix: secret.columns.prefix };
      await this.transitions.recordCreation(manager, user, { id, ownerId }, details);
    });
  }

  /** Creates a successor with the same settings. The old key works until the grace period ends. */
  async rotate(
    user: DashboardUser,
    keyId: string,
    dto: RotateApiKeyDto,
    request?: IdempotentRequest,
  ): Promise<IssuedApiKeyDto> {
    const found = await this.apiKeys.find(user, keyId);
    const before = await this.apiKeys.findKbIdsToAuthorize(user, found);
    const secret = await this.newSecret(found.environment);
    const graceSeconds = dto.grace_period_seconds ?? DEFAULT_GRACE_SECONDS;
    return this.issue(user, before, secret, request, async (manager, successorId) => {
      const key = await lockApiKey(manager, keyId);
      const planned = { successorId, graceSeconds, createdBy: shownId(user) };
      await this.insertSuccessor(manager, user, key, secret, planned);
    });
  }

  /**
   * Creates a successor of a key for its holder, who is no member. A repeated request gets a new secret of the same
   * successor, as long as that was never used.
   *
   * @param options.graceSeconds how long the key still works if it has no `self_rotation`; undefined if it may then
   *   not be rotated
   * @throws Problem `self_rotation_off`, `already_rotated`, a 401 for a key that has ended, `idempotency_conflict`
   *   or `quota_reached`
   */
  async rotateForHolder(
    actor: Actor,
    keyId: string,
    { request, graceSeconds, details }: HolderRotation = {},
  ): Promise<SelfRotated> {
    const { manager: reading } = this.keys;
    const found = await findApiKey(reading, keyId);
    // A repeated request is answered nevertheless, and the hash below takes tens of milliseconds.
    if (!request && found.rotatedTo !== null) throw new Problem('already_rotated');
    const kbIds = await findOpenedKbIds(reading, found);
    const secret = await this.newSecret(found.environment);
    return this.unitOfWork.run(async (manager) => {
      // The quota counts several rows, so parallel requests must wait for each other.
      for (const kbId of [...kbIds].sort()) await this.access.lock(manager, kbId);
      const by = { actor, requester: keyId, details };
      const successor = await this.issueOnce(manager, by, secret, request, async (successorId) => {
        const key = await lockApiKey(manager, keyId);
        const problem = statusProblem(keyStatus(key, await databaseNow(manager)));
        if (problem) throw problem;
        const grace = key.selfRotationGraceSeconds ?? graceSeconds;
        if (grace === undefined) throw new Problem('self_rotation_off');
        const { createdBy } = key;
        const planned = { successorId, graceSeconds: grace, createdBy, details };
        await this.insertSuccessor(manager, actor, key, secret, planned);
      });
      const { expiresAt } = await findApiKey(manager, keyId);
      return { successor, replacedUntil: expiresAt, secret: secret.secret };
    });
  }

  /** @throws Problem `already_rotated` or `api_key_revoked` */
  private async insertSuccessor(
    manager: EntityManager,
    actor: Actor,
    key: ApiKey,
    secret: NewSecret,
    { successorId, graceSeconds, createdBy, details }: NewSuccessor,
  ): Promise<void> {
    const grants = (await findGrants(manager, [key.id])).get(key.id) ?? [];
    if (key.state !== 'active') throw new Problem('api_key_revoked', { status: 409 });
    const now = await databaseNow(manager);
    const rotated = await this.transitions.apply(manager, actor, 'rotate', key, {
      columns: { rotatedTo: successorId, expiresAt: rotatedExpiry(key, now, graceSeconds) },
      details: { successor_id: successorId, grace_period_seconds: graceSeconds, ...details },
    });
    if (!rotated) throw new Problem('already_rotated');
    const { ownerType, ownerId } = key;
    const kbIds = listOpenedKbIds(ownerId, grants);
    const maxAgeDays = await this.settings.keyMaxAgeDays(manager, kbIds);
    const successor = {
      id: successorId,
      ownerType,
      ownerId,
      name: key.name,
      description: key.description,
      environment: key.environment,
      expiresAt: earlier(successorExpiry(key, now), latestExpiry(now, maxAgeDays)),
      rateLimitPerMinute: key.rateLimitPerMinute,
      rateLimitPerEndUser: key.rateLimitPerEndUser,
      budget: key.budget,
      allowedIps: key.allowedIps,
      managementScopes: key.managementScopes,
      principals: key.principals,
      selfRotationGraceSeconds: key.selfRotationGraceSeconds,
      dpopJkt: key.dpopJkt,
      rotatedFrom: key.id,
      rotationRoot: key.rotationRoot,
      createdAt: now,
      createdBy,
      ...secret.columns,
    };
    await this.insert(manager, successor, grants);
  }

  private async issue(
    user: DashboardUser,
    kbIds: readonly string[],
    secret: NewSecret,
    request: IdempotentRequest | undefined,
    insert: (manager: EntityManager, id: string) => Promise<void>,
  ): Promise<IssuedApiKeyDto> {
    // The quota counts several rows, so parallel requests must wait for each other.
    const issued = await this.apiKeys.changeIn(user, kbIds, async (manager) => {
      const by = { actor: user, requester: user.id };
      const key = await this.issueOnce(manager, by, secret, request, (id) => insert(manager, id));
      return this.apiKeys.toDto(user, key, manager);
    });
    return { ...issued, api_key: secret.secret };
  }

  /**
   * Issues a key once. If the first response was lost and the request is repeated, the same key gets a new
   * secret, because the first secret is not stored.
   *
   * @throws Problem `idempotency_conflict` when the key was used, revoked or deleted meanwhile
   */
  private async issueOnce(
    manager: EntityManager,
    { actor, requester, details: more }: Issuing,
    { columns }: NewSecret,
    request: IdempotentRequest | undefined,
    insert: (id: string) => Promise<void>,
  ): Promise<ApiKey> {
    const { first, answer } = await this.idempotency.once(manager, requester, request, async () => {
      const id = newId('key');
      await insert(id);
      return { id };
    });
    if (!first) {
      const details = { prefix: columns.prefix, ...more };
      const key = await manager.findOneBy(ApiKey, { id: answer.id });
      // A first use is a conditional update of the same row, so only one of the two succeeds.
      const isReissued =
        key && (await this.transitions.apply(manager, actor, 'reissue', key, { columns, details }));
      if (!isReissued) throw new Problem('idempotency_conflict');
    }
    return findApiKey(manager, answer.id);
  }

  /** Runs before the transaction begins, because bcrypt takes tens of milliseconds. */
  private async newSecret(kind: KeyKind): Promise<NewSecret> {
    const secret = generateSecret(kind);
    const { hash: fastHash, pepperId } = this.peppers.current(secret);
    const secretHash = await hash(secret, this.config.API_KEY_BCRYPT_COST);
    return { secret, columns: { prefix: parsePrefix(secret), secretHash, fastHash, pepperId } };
  }

  /** @throws Problem `quota_reached`, or `validation_failed` if the policy is not met */
  private async insert(
    manager: EntityManager,
    key: NewApiKey,
    grants: readonly NewGrant[],
  ): Promise<void> {
    requirePolicy(key, this.config);
    await manager.insert(ApiKey, { ...key, state: 'active' });
    const rows = grants.map(({ kbId, scopes, filter }, position) => ({
      keyId: key.id,
      position,
      kbId,
      scopes,
      filter,
    }));
    if (rows.length > 0) await manager.insert(ApiKeyGrant, rows);
    for (const id of listOpenedKbIds(key.ownerId, grants)) await this.quota.require(manager, id);
  }
}

/** The knowledge bases of a new key, or else its service account. */
const listOpenedKbIds = (ownerId: string, grants: readonly NewGrant[]): string[] =>
  grants.length > 0 ? grants.map(({ kbId }) => kbId) : [ownerId];
