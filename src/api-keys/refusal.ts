import { Problem } from '../problems/problem.js';
import type { ApiKeyState } from './api-key.entity.js';

/** What becomes of a key. */
interface Standing {
  readonly state: ApiKeyState;
  readonly deleted: boolean;
  readonly expired: boolean;
}

export const unauthorized = (
  code: 'api_key_required' | 'invalid_api_key' | 'api_key_revoked' | 'api_key_expired',
) => new Problem(code, { headers: { 'www-authenticate': 'ApiKey realm="api", in="body"' } });

/** The 401 for a key that is proven but of no use any more; undefined for one that is. */
export function refusalOf({ state, deleted, expired }: Standing): Problem | undefined {
  if (deleted) return unauthorized('invalid_api_key');
  if (state === 'deactivated') return unauthorized('api_key_revoked');
  return expired ? unauthorized('api_key_expired') : undefined;
}
