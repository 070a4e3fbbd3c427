import { ApiCount, ApiId, ApiInstant } from '../platform/openapi/api-fields.js';

/** What would break if the key were revoked now. */
export class ApiKeyUsageDto {
  /** @example 1250 */
  @ApiCount() requests_24h: number;
  /** @example 31000 */
  @ApiCount() requests_30d: number;
  @ApiInstant() last_used_at: string | null;
  /** @example '192.0.2.10' */
  last_ip: string | null;
  /** @example 2 */
  @ApiCount() distinct_ips_24h: number;
  /** How often the key was refused after it was revoked. */
  @ApiCount() refused_uses_since_revoked: number;
  @ApiInstant(null) last_refused_at: string | null;
  last_refused_ip: string | null;
  /** The successor of this key. */
  @ApiId('key', null) successor_id: string | null;
  /** Whether the key was not used in the last 24 hours. */
  safe_to_revoke: boolean;
}
