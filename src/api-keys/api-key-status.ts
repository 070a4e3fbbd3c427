import type { DataSource } from 'typeorm';
import { isIpAllowed } from '../platform/config/ip-address.js';
import { sqlNow } from '../platform/database/dialect.js';
import { Problem } from '../platform/problems/problem.js';
import type { HttpExchange } from './sender-proofs.js';
import type { ApiKey } from './api-key.entity.js';

/** `usable`, or the reason why a key cannot be used now. */
export type KeyStatus = 'usable' | 'deleted' | 'revoked' | 'expired';

/**
 * SQL: the status of a key. SQLite reads the clock only for keys that expire.
 *
 * @param key the alias of `api_keys`
 */
export const sqlKeyStatus = (key: string, dataSource: DataSource) => `CASE
  WHEN ${key}.deleted_at IS NOT NULL THEN 'deleted'
  WHEN ${key}.state <> 'active' THEN 'revoked'
  WHEN ${key}.expires_at IS NULL THEN 'usable'
  WHEN ${key}.expires_at <= ${sqlNow(dataSource)} THEN 'expired'
  ELSE 'usable' END`;

/** Where a request comes from. */
export interface Caller {
  readonly ip: string;
  /** The web page's origin; undefined unless a browser sends it. */
  readonly origin: string | undefined;
  /** The path of the route. */
  readonly path: string;
  /** The request; undefined where the credential was sent in another way, so that nothing proves it. */
  readonly exchange?: HttpExchange;
}

/**
 * The status of a key that has been read.
 *
 * @param now by the database's clock
 */
export function keyStatus(
  { state, deletedAt, expiresAt }: Pick<ApiKey, 'state' | 'deletedAt' | 'expiresAt'>,
  now: Date,
): KeyStatus {
  if (deletedAt !== null) return 'deleted';
  if (state !== 'active') return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'usable';
}

export const unauthorized = (
  code:
    | 'api_key_required'
    | 'invalid_api_key'
    | 'api_key_revoked'
    | 'api_key_expired'
    | 'client_token_expired',
) =>
  new Problem(code, {
    headers: { 'www-authenticate': 'ApiKey realm="api", in="body", Bearer realm="api"' },
  });

/** The 401 for a key that exists but is not usable; undefined for a usable key. */
export function statusProblem(status: KeyStatus): Problem | undefined {
  switch (status) {
    case 'usable':
      return undefined;
    case 'deleted':
      return unauthorized('invalid_api_key');
    case 'revoked':
      return unauthorized('api_key_revoked');
    case 'expired':
      return unauthorized('api_key_expired');
    default:
      return status satisfies never;
  }
}

/**
 * @param restrictions what restricts the origins: the knowledge bases of the key, and a client token
 * @throws Problem `origin_not_allowed` or `ip_not_allowed`
 */
export function requireAllowedCaller(
  allowedIps: readonly string[] | null,
  { ip, origin }: Pick<Caller, 'ip' | 'origin'>,
  restrictions: readonly { readonly allowedOrigins: readonly string[] | null }[] = [],
): void {
  if (
    origin !== undefined &&
    restrictions.some(({ allowedOrigins }) => allowedOrigins?.includes(origin) === false)
  ) {
    throw new Problem('origin_not_allowed');
  }
  if (allowedIps && !isIpAllowed(ip, allowedIps)) throw new Problem('ip_not_allowed');
}
