import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { sqlNow } from '../database/column-types.js';
import { Problem, ProblemCode } from '../http/problem.js';
import { ApiKeyUsage } from './api-key-usage.js';
import type { ApiKeyState } from './api-key.entity.js';
import { Peppers } from './peppers.js';
import { ApiKeyEnvironment, isWellFormedSecret } from './secret.js';

/** Who asks on the partners' side: the principal that ApiKeyGuard attaches. */
export interface ApiKeyPrincipal {
  readonly id: string;
  readonly kbId: string;
  readonly environment: ApiKeyEnvironment;
}

interface LookupRow {
  id: string;
  kb_id: string;
  environment: ApiKeyEnvironment;
  state: ApiKeyState;
  /** SQLite says 0 or 1. */
  expired: boolean | 0 | 1;
  used: boolean | 0 | 1;
}

/** Tells whether a secret is a usable key: one HMAC and one query, nothing remembered between. */
@Injectable()
export class ApiKeyVerifier {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly peppers: Peppers,
    private readonly usage: ApiKeyUsage,
  ) {}

  /**
   * @param secret whatever the request's body has under `api_key`
   * @throws Problem `api_key_required`, `invalid_api_key`, `api_key_revoked` or `api_key_expired`
   */
  async verify(secret: unknown): Promise<ApiKeyPrincipal> {
    if (typeof secret !== 'string' || secret === '') throw unauthorized('api_key_required');
    if (!isWellFormedSecret(secret)) throw unauthorized('invalid_api_key');
    const row = await this.lookUp(secret);
    if (!row) throw unauthorized('invalid_api_key');
    if (row.state !== 'active') throw unauthorized('api_key_revoked');
    if (row.expired) throw unauthorized('api_key_expired');
    await this.usage.record(row.id, new Date(), Boolean(row.used));
    return { id: row.id, kbId: row.kb_id, environment: row.environment };
  }

  /**
   * Plain SQL, because a repository costs twice as much per request. State, expiry and deletion
   * are read from the database each time, by its clock: a committed change holds for the next
   * request of every process.
   */
  private async lookUp(secret: string): Promise<LookupRow | undefined> {
    const hashes = this.peppers.all(secret).map(({ hash }) => hash);
    const [row] = await this.dataSource.sql<LookupRow[]>`
      SELECT k.id, k.kb_id, k.environment, k.state,
             COALESCE(k.expires_at <= ${() => sqlNow}, FALSE) AS expired,
             k.last_used_at IS NOT NULL AS used
      FROM api_keys k
      JOIN knowledge_bases kb ON kb.id = k.kb_id AND kb.state = 'active'
      WHERE k.fast_hash IN (${() => hashes})`;
    return row;
  }
}

const unauthorized = (code: ProblemCode) =>
  new Problem(code, { headers: { 'www-authenticate': 'ApiKey realm="api", in="body"' } });
