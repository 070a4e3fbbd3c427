import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { sqlNow } from '../database/dialect.js';
import { PreparedQuery, prepareQuery } from '../database/prepared-query.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SETTINGS_DEFAULTS } from '../settings/settings.service.js';
import { ApiKey, ApiKeyState } from './api-key.entity.js';
import { FastHash, Peppers } from './peppers.js';
import { prefixOf, ApiKeyEnvironment } from './secret.js';
import { SlowVerification } from './slow-verification.js';

/** A key whose secret was presented. Nothing here outlives the request. */
export interface FoundApiKey {
  readonly id: string;
  readonly kbId: string;
  readonly environment: ApiKeyEnvironment;
  readonly state: ApiKeyState;
  readonly deleted: boolean;
  readonly expired: boolean;
  readonly used: boolean;
  readonly fastHash: string;
  readonly pepperId: string;
  readonly rateLimitPerMinute: number;
  readonly rotationRoot: string;
  readonly allowedIps: readonly string[] | null;
  readonly allowedOrigins: readonly string[] | null;
  /** How the knowledge base is searched where a request does not say. */
  readonly topK: number;
  readonly minScore: number | null;
}

/** SQLite tells truth as 0 or 1, and JSON as text. */
type Row = Omit<
  FoundApiKey,
  'deleted' | 'expired' | 'used' | 'allowedIps' | 'allowedOrigins' | 'rateLimitPerMinute' | 'topK'
> & {
  readonly deleted: boolean | 0 | 1;
  readonly expired: boolean | 0 | 1;
  readonly used: boolean | 0 | 1;
  readonly allowedIps: string[] | string | null;
  readonly allowedOrigins: string[] | string | null;
  readonly rateLimitPerMinute: number | null;
  readonly topK: number | null;
};

type KeyToProve = Pick<ApiKey, 'id' | 'secretHash' | 'fastHash'>;

/**
 * Finds the key of a secret by one HMAC and one prepared query, because a repository costs twice as
 * much per request. State, expiry and deletion are read from the database each time, by its
 * clock: a committed change holds for the next request of every process.
 */
@Injectable()
export class ApiKeyLookup {
  private readonly logger = new Logger(ApiKeyLookup.name);
  private readonly byHash: PreparedQuery<Row>;
  private readonly withoutPepper: PreparedQuery<KeyToProve>;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly peppers: Peppers,
    private readonly slowVerification: SlowVerification,
  ) {
    const places = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        dataSource.driver.createParameter(String(index), index),
      );
    this.byHash = prepareQuery(dataSource, byHash(places(peppers.ids.length), sqlNow(dataSource)));
    this.withoutPepper = prepareQuery(dataSource, withoutPepper(places(1 + peppers.ids.length)));
  }

  /**
   * @param ip whose failures are counted where bcrypt has to decide
   * @throws Problem `verification_busy`
   */
  async find(secret: string, ip: string): Promise<FoundApiKey | undefined> {
    const hashes = this.peppers.all(secret);
    const found = await this.query(hashes);
    if (!found) return this.findWithoutPepper(secret, hashes, ip);
    if (found.pepperId === hashes[0].pepperId) return found;
    try {
      await this.moveToCurrent(found, hashes[0]);
    } catch (error) {
      // The key is as good as before, and moves with a later use.
      this.logger.error(error);
      return found;
    }
    return { ...found, fastHash: hashes[0].hash };
  }

  private async query(hashes: readonly FastHash[]): Promise<FoundApiKey | undefined> {
    const row = await this.byHash(hashes.map(({ hash }) => hash));
    return (
      row && {
        ...row,
        deleted: Boolean(row.deleted),
        expired: Boolean(row.expired),
        used: Boolean(row.used),
        allowedIps: parseList(row.allowedIps),
        allowedOrigins: parseList(row.allowedOrigins),
        rateLimitPerMinute: row.rateLimitPerMinute ?? SETTINGS_DEFAULTS.rateLimitPerMinute,
        topK: row.topK ?? SETTINGS_DEFAULTS.topK,
      }
    );
  }

  /**
   * For a key whose pepper is no longer there: bcrypt, which needs none, proves the secret, and the
   * key is indexed anew. In steady state there is no such key, and a forged secret costs one more
   * look at an index.
   */
  private async findWithoutPepper(
    secret: string,
    hashes: readonly [FastHash, ...FastHash[]],
    ip: string,
  ): Promise<FoundApiKey | undefined> {
    const key = await this.withoutPepper([prefixOf(secret), ...this.peppers.ids]);
    if (!key) return undefined;
    if (!(await this.slowVerification.matches(secret, key.secretHash, ip))) return undefined;
    await this.moveToCurrent(key, hashes[0]);
    return this.query(hashes);
  }

  /** Only if nobody was quicker, or has given the key another secret. */
  private async moveToCurrent(
    { id, fastHash }: Pick<ApiKey, 'id' | 'fastHash'>,
    current: FastHash,
  ): Promise<void> {
    await this.unitOfWork.run((manager) =>
      manager.update(
        ApiKey,
        { id, fastHash },
        { fastHash: current.hash, pepperId: current.pepperId },
      ),
    );
  }
}

const parseList = (list: string[] | string | null) =>
  typeof list === 'string' ? (JSON.parse(list) as string[]) : list;

// An expiry that is not set spares SQLite its clock.
const byHash = (hashes: readonly string[], now: string) => `
  SELECT k.id, k.kb_id AS "kbId", k.environment, k.state,
    k.deleted_at IS NOT NULL AS deleted,
    CASE WHEN k.expires_at IS NULL THEN FALSE ELSE k.expires_at <= ${now} END AS expired,
    k.first_used_at IS NOT NULL AS used,
    k.fast_hash AS "fastHash", k.pepper_id AS "pepperId",
    COALESCE(k.rate_limit_per_minute, s.rate_limit_per_minute) AS "rateLimitPerMinute",
    k.rotation_root AS "rotationRoot", k.allowed_ips AS "allowedIps",
    s.allowed_origins AS "allowedOrigins", s.top_k AS "topK", s.min_score AS "minScore"
  FROM api_keys k
  JOIN knowledge_bases kb ON kb.id = k.kb_id AND kb.state = 'active'
  LEFT JOIN knowledge_base_settings s ON s.kb_id = k.kb_id
  WHERE k.fast_hash IN (${hashes.join(', ')})`;

const withoutPepper = ([prefix, ...peppers]: readonly string[]) => `
  SELECT id, secret_hash AS "secretHash", fast_hash AS "fastHash"
  FROM api_keys
  WHERE prefix = ${prefix} AND deleted_at IS NULL AND pepper_id NOT IN (${peppers.join(', ')})`;
