import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, IsNull } from 'typeorm';
import { toComparableName } from '@latchkey/text/person-name';
import { PreparedQuery, prepareQuery } from '../platform/database/prepared-query.js';
import type { Budget } from '../knowledge-bases/budgets/budget.js';
import type { ApiKeyEnvironment } from '../knowledge-bases/key-environment.js';
import { parseJson } from '@latchkey/text/parse-json';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { FairShareLookup } from '../knowledge-bases/fair-share-lookup.js';
import { type MetadataFilter } from '@latchkey/ranking/metadata-filter';
import type { ManagementScope } from '../knowledge-bases/management-scope.js';
import { hasLeft } from '../knowledge-bases/directory/memberships.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import {
  type Settings,
  type StoredSettings,
  toSettings,
} from '../knowledge-bases/settings/settings.js';
import { type KeyStatus, sqlKeyStatus } from './api-key-status.js';
import { ApiKey } from './api-key.entity.js';
import { BcryptVerifier } from './bcrypt-verifier.js';
import type { ApiKeyScope } from './scope.js';
import { FastHash, Peppers } from '../platform/peppers/peppers.js';
import { parsePrefix } from './secret.js';

/** What a key may do in one of its knowledge bases. */
export interface FoundGrant {
  readonly kbId: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly filter: MetadataFilter | null;
  /** The version of the knowledge base's curated answers; see KnowledgeBase. */
  readonly curatedVersion: number;
  readonly allowedOrigins: readonly string[] | null;
}

/** The key of a presented secret, as stored at this moment. It is never cached. */
export interface FoundApiKey {
  readonly id: string;
  /** The knowledge base that owns the key. */
  readonly ownerId: string;
  readonly environment: ApiKeyEnvironment;
  readonly status: KeyStatus;
  readonly used: boolean;
  readonly fastHash: string;
  readonly pepperId: string;
  /** The key's own limit; null if the knowledge base's limit applies. */
  readonly rateLimitPerMinute: number | null;
  readonly rateLimitPerEndUser: number | null;
  readonly budget: Budget | null;
  readonly rotationRoot: string;
  readonly allowedIps: readonly string[] | null;
  readonly principals: Principals;
  /** The thumbprint of the key that each request with the secret has to prove; null if none. */
  readonly dpopJkt: string | null;
  /** The settings of the knowledge base that owns the key. */
  readonly settings: Settings;
  /** The first one is for the knowledge base that owns the key. */
  readonly grants: readonly FoundGrant[];
}

/** The key of a service account, as stored at this moment. */
export interface FoundManagementKey {
  readonly id: string;
  readonly serviceAccountId: string;
  readonly status: KeyStatus;
  readonly used: boolean;
  readonly fastHash: string;
  readonly pepperId: string;
  readonly allowedIps: readonly string[] | null;
  readonly scopes: readonly ManagementScope[];
  /** Whether the service account may create knowledge bases. */
  readonly createsKnowledgeBases: boolean;
  readonly createdBy: string;
}

interface ManagementKeyRow extends Omit<
  FoundManagementKey,
  'used' | 'allowedIps' | 'scopes' | 'createsKnowledgeBases'
> {
  readonly used: boolean | 0 | 1;
  readonly allowedIps: string[] | string | null;
  readonly scopes: string;
  readonly createsKnowledgeBases: boolean | 0 | 1;
}

/** A key with one of its grants. SQLite returns booleans as 0 or 1, and JSON as text. */
interface GrantRow
  extends Omit<FoundApiKey, Parsed | 'grants'>, Omit<FoundGrant, Parsed | 'allowedOrigins'> {
  readonly used: boolean | 0 | 1;
  readonly budget: Budget | string | null;
  readonly allowedIps: string[] | string | null;
  /** The scopes, separated by commas. */
  readonly scopes: string;
  readonly filter: MetadataFilter | string | null;
  readonly principals: string[] | string | null;
  readonly settings: StoredSettings | string | null;
  /** The user who created the knowledge base. */
  readonly createdBy: string | null;
}

type Parsed = 'used' | 'budget' | 'allowedIps' | 'scopes' | 'filter' | 'principals' | 'settings';

interface LookupOptions {
  /** If true, the key is not moved to the current pepper; false by default. */
  readonly readOnly?: boolean;
}

type StoredSecret = Pick<ApiKey, 'id' | 'secretHash' | 'fastHash'>;
type HashedKey = Pick<ApiKey, 'id' | 'fastHash' | 'pepperId'>;

/**
 * Finds the key of a secret by its HMAC. It is one prepared query, because a repository takes twice as
 * long. State, deletion and expiry (by the database's clock) are read for each request, so a committed
 * change applies from the next request on, in every process.
 */
@Injectable()
export class ApiKeyLookup {
  private readonly logger = new Logger(ApiKeyLookup.name);
  private readonly selectByHash: PreparedQuery<GrantRow>;
  private readonly selectManagementKey: PreparedQuery<ManagementKeyRow>;
  private readonly selectById: PreparedQuery<GrantRow>;
  private readonly selectWithoutPepper: PreparedQuery<StoredSecret>;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly peppers: Peppers,
    private readonly bcrypt: BcryptVerifier,
    private readonly fairShares: FairShareLookup,
  ) {
    const placeholders = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        dataSource.driver.createParameter(String(index), index),
      );
    const pepperCount = peppers.ids.length;
    const status = sqlKeyStatus('k', dataSource);
    const hashes = placeholders(pepperCount).join(', ');
    this.selectByHash = prepareQuery(
      dataSource,
      selectGrants(status, `k.fast_hash IN (${hashes})`),
    );
    this.selectManagementKey = prepareQuery(dataSource, selectManagementKey(status, hashes));
    // Each parameter is named once, because SQLite numbers parameters by position.
    const [endUser = '', id = ''] = placeholders(2);
    // With `=`, the query takes ten times as long on SQLite, which seems to prepare it again for each value.
    const where = `k.id IN (${id}) AND NOT ${hasLeft('asked.end_user', 'g.kb_id')}`;
    const asked = `CROSS JOIN (SELECT CAST(${endUser} AS text) AS end_user) asked`;
    this.selectById = prepareQuery(dataSource, selectGrants(status, where, asked));
    this.selectWithoutPepper = prepareQuery(
      dataSource,
      selectKeyWithoutPepper(placeholders(1 + pepperCount)),
    );
  }

  /**
   * @param ip the client's address: its failed bcrypt verifications are limited
   * @throws Problem `verification_busy`
   */
  async find(
    secret: string,
    ip: string,
    options?: LookupOptions,
  ): Promise<FoundApiKey | undefined> {
    return this.toKey(await this.findRows(this.selectByHash, secret, ip, options));
  }

  /**
   * Finds a key of a service account, never a key of a knowledge base.
   *
   * @throws Problem `verification_busy`
   */
  async findManagementKey(
    secret: string,
    ip: string,
    options?: LookupOptions,
  ): Promise<FoundManagementKey | undefined> {
    const [row] = await this.findRows(this.selectManagementKey, secret, ip, options);
    return (
      row && {
        ...row,
        used: Boolean(row.used),
        allowedIps: parseColumn(row.allowedIps),
        scopes: row.scopes.split(',') as ManagementScope[],
        createsKnowledgeBases: Boolean(row.createsKnowledgeBases),
      }
    );
  }

  /**
   * Finds the key of a client token by its id.
   *
   * @param endUserId undefined for a credential of nobody in particular
   * @returns undefined also if its end user was deprovisioned
   */
  async findById(id: string, endUserId: string | undefined): Promise<FoundApiKey | undefined> {
    return this.toKey(await this.selectById([toComparableName(endUserId ?? ''), id]));
  }

  /**
   * Writes the first use at once, unlike later ones: a repeated creation request may give the key a new
   * secret only if the key was never used.
   *
   * @returns false when the key was given a new secret since it was looked up
   */
  recordFirstUse({ id, fastHash }: Pick<ApiKey, 'id' | 'fastHash'>, at: Date): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const { affected } = await manager.update(
        ApiKey,
        { id, fastHash, firstUsedAt: IsNull() },
        { firstUsedAt: at },
      );
      return affected === 1 || manager.existsBy(ApiKey, { id, fastHash });
    });
  }

  private async findRows<Row extends HashedKey>(
    select: PreparedQuery<Row>,
    secret: string,
    ip: string,
    { readOnly = false }: LookupOptions = {},
  ): Promise<Row[]> {
    const hashes = this.peppers.all(secret);
    const rows = await select(hashes.map(({ hash }) => hash));
    const [found] = rows;
    if (!found) {
      const stored = await this.findWithoutPepper(secret, ip);
      if (!stored) return [];
      if (!readOnly) await this.moveToCurrentPepper(stored, hashes[0]);
      const hash = readOnly ? stored.fastHash : hashes[0].hash;
      return select(hashes.map(() => hash));
    }
    if (readOnly || found.pepperId === hashes[0].pepperId) return rows;
    try {
      await this.moveToCurrentPepper(found, hashes[0]);
    } catch (error) {
      // The key stays valid under its old pepper, and a later use moves it.
      this.logger.error(error);
      return rows;
    }
    return rows.map((row) => ({ ...row, fastHash: hashes[0].hash }));
  }

  /** @returns undefined also if the knowledge base that owns the key was deleted, or its end user has left it */
  private toKey(rows: readonly GrantRow[]): FoundApiKey | undefined {
    const [first] = rows;
    if (!first || first.kbId !== first.ownerId) return undefined;
    for (const { kbId, createdBy } of rows) this.fairShares.remember(kbId, createdBy);
    return toFoundApiKey(first, rows);
  }

  /**
   * Finds a key stored under a pepper that is no longer configured, by verifying the secret with bcrypt,
   * which needs no pepper. If there are no such keys, a forged secret costs only one more index lookup.
   */
  private async findWithoutPepper(secret: string, ip: string): Promise<StoredSecret | undefined> {
    const [stored] = await this.selectWithoutPepper([parsePrefix(secret), ...this.peppers.ids]);
    return stored && (await this.bcrypt.matches(secret, stored.secretHash, ip))
      ? stored
      : undefined;
  }

  /** Does nothing if another request has already moved the key or given it a new secret. */
  private async moveToCurrentPepper(
    { id, fastHash }: Pick<ApiKey, 'id' | 'fastHash'>,
    { hash, pepperId }: FastHash,
  ): Promise<void> {
    await this.unitOfWork.run((manager) =>
      manager.update(ApiKey, { id, fastHash }, { fastHash: hash, pepperId }),
    );
  }
}

function toFoundApiKey(first: GrantRow, rows: readonly GrantRow[]): FoundApiKey {
  const stored = rows.map(({ settings }) => parseColumn(settings));
  return {
    id: first.id,
    ownerId: first.ownerId,
    environment: first.environment,
    status: first.status,
    used: Boolean(first.used),
    fastHash: first.fastHash,
    pepperId: first.pepperId,
    rateLimitPerMinute: first.rateLimitPerMinute,
    rateLimitPerEndUser: first.rateLimitPerEndUser,
    rotationRoot: first.rotationRoot,
    budget: parseColumn(first.budget),
    allowedIps: parseColumn(first.allowedIps),
    principals: parseColumn(first.principals) ?? [],
    dpopJkt: first.dpopJkt,
    settings: toSettings(stored[0] ?? null),
    grants: rows.map((row, index) => ({
      kbId: row.kbId,
      scopes: row.scopes.split(',') as ApiKeyScope[],
      filter: parseColumn(row.filter),
      curatedVersion: row.curatedVersion,
      allowedOrigins: stored[index]?.allowed_origins ?? null,
    })),
  };
}

const parseColumn = <T extends object>(column: T | string | null) =>
  typeof column === 'string' ? (parseJson(column) as T) : column;

/** One row for each grant in a knowledge base that exists, in their order. */
const selectGrants = (status: string, where: string, join = '') => `
  SELECT k.id, k.owner_id AS "ownerId", k.environment, ${status} AS status,
    k.first_used_at IS NOT NULL AS used,
    k.fast_hash AS "fastHash", k.pepper_id AS "pepperId",
    k.rate_limit_per_minute AS "rateLimitPerMinute",
    k.rate_limit_per_end_user AS "rateLimitPerEndUser",
    k.rotation_root AS "rotationRoot", k.budget, k.allowed_ips AS "allowedIps", k.principals,
    k.dpop_jkt AS "dpopJkt",
    g.kb_id AS "kbId", g.scopes, g.filter, s.settings, kb.created_by AS "createdBy",
    kb.curated_version AS "curatedVersion"
  FROM api_keys k
  JOIN api_key_grants g ON g.key_id = k.id
  JOIN knowledge_bases kb ON kb.id = g.kb_id AND kb.state = 'active'
  LEFT JOIN knowledge_base_settings s ON s.kb_id = g.kb_id
  ${join}
  WHERE ${where}
  ORDER BY g.position`;

const selectManagementKey = (status: string, hashes: string) => `
  SELECT k.id, k.owner_id AS "serviceAccountId", ${status} AS status,
    k.first_used_at IS NOT NULL AS used,
    k.fast_hash AS "fastHash", k.pepper_id AS "pepperId", k.allowed_ips AS "allowedIps",
    k.management_scopes AS scopes,
    a.creates_knowledge_bases AS "createsKnowledgeBases", a.created_by AS "createdBy"
  FROM api_keys k
  JOIN service_accounts a ON a.id = k.owner_id
  WHERE k.fast_hash IN (${hashes})`;

const selectKeyWithoutPepper = ([prefix, ...peppers]: readonly string[]) => `
  SELECT id, secret_hash AS "secretHash", fast_hash AS "fastHash"
  FROM api_keys
  WHERE prefix = ${prefix} AND deleted_at IS NULL AND pepper_id NOT IN (${peppers.join(', ')})`;
