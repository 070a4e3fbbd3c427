import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, IsNull } from 'typeorm';
import { toComparableName } from '@latchkey/text/person-name';
import { PreparedQuery, prepareQuery } from '../platform/database/prepared-query.js';
import type { Budget } from '../knowledge-bases/budgets/budget.js';
import type { ApiKeyEnvironment } from '../knowledge-bases/key-environment.js';
import { parseJson } from '@latchkey/text/parse-json';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { TenantLookup } from '../knowledge-bases/tenant-lookup.js';
import { type MetadataFilter } from '@latchkey/ranking/metadata-filter';
import type { ManagementScope } from '../knowledge-bases/management-scope.js';
import { hasLeft } from '../knowledge-bases/directory/memberships.js';
import { isPostgres } from '../platform/database/dialect.js';
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
export interface OpenedKnowledgeBase {
  readonly kbId: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly filter: MetadataFilter | null;
  /** The version of the knowledge base's curated answers; see KnowledgeBase. */
  readonly curatedVersion: number;
}

/** A knowledge base besides the main one, with its allowed origins. */
type FoundKnowledgeBase = OpenedKnowledgeBase & {
  readonly allowedOrigins: readonly string[] | null;
};

/** The key of a presented secret, as stored at this moment. It is never cached. */
export interface FoundApiKey {
  readonly id: string;
  /** The main knowledge base. */
  readonly kbId: string;
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
  readonly scopes: readonly ApiKeyScope[];
  readonly filter: MetadataFilter | null;
  readonly principals: Principals;
  /** The settings of the main knowledge base. */
  readonly settings: Settings;
  readonly curatedVersion: number;
  /** The knowledge bases besides the main one. */
  readonly others: readonly FoundKnowledgeBase[];
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

/** SQLite returns booleans as 0 or 1, and JSON as text. */
interface ApiKeyRow extends Pick<FoundApiKey, Unchanged> {
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
  readonly others: OtherRow[] | string | null;
}

interface OtherRow extends Omit<FoundKnowledgeBase, 'scopes'> {
  readonly scopes: string;
  readonly createdBy: string | null;
}

type Unchanged =
  | 'id'
  | 'kbId'
  | 'environment'
  | 'status'
  | 'fastHash'
  | 'pepperId'
  | 'rateLimitPerMinute'
  | 'rateLimitPerEndUser'
  | 'rotationRoot'
  | 'curatedVersion';

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
  private readonly selectByHash: PreparedQuery<ApiKeyRow>;
  private readonly selectManagementKey: PreparedQuery<ManagementKeyRow>;
  private readonly selectById: PreparedQuery<ApiKeyRow>;
  private readonly selectWithoutPepper: PreparedQuery<StoredSecret>;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly peppers: Peppers,
    private readonly bcrypt: BcryptVerifier,
    private readonly tenants: TenantLookup,
  ) {
    const placeholders = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        dataSource.driver.createParameter(String(index), index),
      );
    const pepperCount = peppers.ids.length;
    const status = sqlKeyStatus('k', dataSource);
    const hashes = placeholders(pepperCount).join(', ');
    const select = (where: string, others: string, join = '') =>
      prepareQuery<ApiKeyRow>(dataSource, selectKey(status, where, others, join));
    this.selectByHash = select(`k.fast_hash IN (${hashes})`, sqlOthers(dataSource));
    this.selectManagementKey = prepareQuery(dataSource, selectManagementKey(status, hashes));
    // Each parameter is named once, because SQLite numbers parameters by position.
    const [endUser = '', id = ''] = placeholders(2);
    const hasLeftFrom = (kbId: string) => hasLeft('asked.end_user', kbId);
    this.selectById = select(
      // Not `=`: SQLite would prepare the statement again for each value, in ten times the time, since the
      // value might be that of the condition of a partial index.
      `k.id IN (${id}) AND NOT ${hasLeftFrom('k.kb_id')}`,
      sqlOthers(dataSource, `AND NOT ${hasLeftFrom('o.kb_id')}`),
      `CROSS JOIN (SELECT CAST(${endUser} AS text) AS end_user) asked`,
    );
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
    return this.toKey(await this.findRow(this.selectByHash, secret, ip, options));
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
    const row = await this.findRow(this.selectManagementKey, secret, ip, options);
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
   * @returns undefined also if its end user was deprovisioned
   */
  async findById(id: string, endUserId: string): Promise<FoundApiKey | undefined> {
    return this.toKey(await this.selectById([toComparableName(endUserId), id]));
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

  private async findRow<Row extends HashedKey>(
    select: PreparedQuery<Row>,
    secret: string,
    ip: string,
    { readOnly = false }: LookupOptions = {},
  ): Promise<Row | undefined> {
    const hashes = this.peppers.all(secret);
    const found = await select(hashes.map(({ hash }) => hash));
    if (!found) {
      const stored = await this.findWithoutPepper(secret, ip);
      if (!stored) return undefined;
      if (!readOnly) await this.moveToCurrentPepper(stored, hashes[0]);
      const hash = readOnly ? stored.fastHash : hashes[0].hash;
      return select(hashes.map(() => hash));
    }
    if (readOnly || found.pepperId === hashes[0].pepperId) return found;
    try {
      await this.moveToCurrentPepper(found, hashes[0]);
    } catch (error) {
      // The key stays valid under its old pepper, and a later use moves it.
      this.logger.error(error);
      return found;
    }
    return { ...found, fastHash: hashes[0].hash };
  }

  private toKey(row: ApiKeyRow | undefined): FoundApiKey | undefined {
    if (!row) return undefined;
    const { createdBy, others, ...key } = row;
    this.tenants.remember(key.kbId, createdBy);
    const found = (parseColumn(others) ?? []).map(({ createdBy: creator, scopes, ...other }) => {
      this.tenants.remember(other.kbId, creator);
      return { ...other, scopes: scopes.split(',') as ApiKeyScope[] };
    });
    return { ...toFoundApiKey(key), others: found };
  }

  /**
   * Finds a key stored under a pepper that is no longer configured, by verifying the secret with bcrypt,
   * which needs no pepper. If there are no such keys, a forged secret costs only one more index lookup.
   */
  private async findWithoutPepper(secret: string, ip: string): Promise<StoredSecret | undefined> {
    const stored = await this.selectWithoutPepper([parsePrefix(secret), ...this.peppers.ids]);
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

function toFoundApiKey(row: Omit<ApiKeyRow, 'createdBy' | 'others'>): Omit<FoundApiKey, 'others'> {
  return {
    ...row,
    used: Boolean(row.used),
    allowedIps: parseColumn(row.allowedIps),
    scopes: row.scopes.split(',') as ApiKeyScope[],
    budget: parseColumn(row.budget),
    filter: parseColumn(row.filter),
    principals: parseColumn(row.principals) ?? [],
    settings: toSettings(parseColumn(row.settings)),
  };
}

const parseColumn = <T extends object>(column: T | string | null) =>
  typeof column === 'string' ? (parseJson(column) as T) : column;

/** SQL: the knowledge bases of a key besides the main one, in their order, as JSON. */
function sqlOthers(dataSource: DataSource, condition = ''): string {
  const [list, object, filter] = isPostgres(dataSource)
    ? ['json_agg', 'json_build_object', 'o.filter']
    : ['json_group_array', 'json_object', 'json(o.filter)'];
  return `(SELECT ${list}(${object}('kbId', o.kb_id, 'scopes', o.scopes, 'filter', ${filter},
        'createdBy', okb.created_by, 'curatedVersion', okb.curated_version, 'allowedOrigins', os.settings -> 'allowed_origins')
      ORDER BY o.position)
    FROM api_key_knowledge_bases o
    JOIN knowledge_bases okb ON okb.id = o.kb_id AND okb.state = 'active'
    LEFT JOIN knowledge_base_settings os ON os.kb_id = o.kb_id
    WHERE o.api_key_id = k.id ${condition})`;
}

const selectKey = (status: string, where: string, others: string, join: string) => `
  SELECT k.id, k.kb_id AS "kbId", k.environment, ${status} AS status,
    k.first_used_at IS NOT NULL AS used,
    k.fast_hash AS "fastHash", k.pepper_id AS "pepperId",
    k.rate_limit_per_minute AS "rateLimitPerMinute",
    k.rate_limit_per_end_user AS "rateLimitPerEndUser",
    k.rotation_root AS "rotationRoot", k.budget, k.allowed_ips AS "allowedIps", k.scopes, k.filter, k.principals,
    s.settings, kb.created_by AS "createdBy", kb.curated_version AS "curatedVersion", ${others} AS others
  FROM api_keys k
  JOIN knowledge_bases kb ON kb.id = k.kb_id AND kb.state = 'active'
  LEFT JOIN knowledge_base_settings s ON s.kb_id = k.kb_id
  ${join}
  WHERE ${where}`;

const selectManagementKey = (status: string, hashes: string) => `
  SELECT k.id, k.service_account_id AS "serviceAccountId", ${status} AS status,
    k.first_used_at IS NOT NULL AS used,
    k.fast_hash AS "fastHash", k.pepper_id AS "pepperId", k.allowed_ips AS "allowedIps", k.scopes,
    a.creates_knowledge_bases AS "createsKnowledgeBases", a.created_by AS "createdBy"
  FROM api_keys k
  JOIN service_accounts a ON a.id = k.service_account_id
  WHERE k.fast_hash IN (${hashes})`;

const selectKeyWithoutPepper = ([prefix, ...peppers]: readonly string[]) => `
  SELECT id, secret_hash AS "secretHash", fast_hash AS "fastHash"
  FROM api_keys
  WHERE prefix = ${prefix} AND deleted_at IS NULL AND pepper_id NOT IN (${peppers.join(', ')})`;
