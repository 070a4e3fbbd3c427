import { isIpAllowed } from '../platform/config/ip-address.js';
import { Problem } from '../platform/problems/problem.js';
import type { ApiKeyState } from './api-key.entity.js';

/** Whether a key may be used, and why not. */
export type KeyStatus = 'usable' | 'deleted' | 'revoked' | 'expired';

/** Where a request comes from. */
export interface Caller {
  readonly ip: string;
  /** The web page's origin; undefined unless a browser sends it. */
  readonly origin: string | undefined;
}

export function keyStatus(key: {
  readonly state: ApiKeyState;
  readonly deleted: boolean;
  readonly expired: boolean;
}): KeyStatus {
  if (key.deleted) return 'deleted';
  if (key.state === 'deactivated') return 'revoked';
  return key.expired ? 'expired' : 'usable';
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

/** The 401 for a key whose secret is right; undefined for a usable key. */
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
 * @param tokenOrigins origins that a client token is restricted to, in addition to the knowledge base's
 * @throws Problem `origin_not_allowed` or `ip_not_allowed`
 */
export function requireAllowedCaller(
  key: {
    readonly allowedOrigins: readonly string[] | null;
    readonly allowedIps: readonly string[] | null;
  },
  { ip, origin }: Caller,
  tokenOrigins: readonly string[] | null = null,
): void {
  const lists = [key.allowedOrigins, tokenOrigins];
  if (origin !== undefined && lists.some((list) => list?.includes(origin) === false)) {
    throw new Problem('origin_not_allowed');
  }
  if (key.allowedIps && !isIpAllowed(ip, key.allowedIps)) throw new Problem('ip_not_allowed');
}
