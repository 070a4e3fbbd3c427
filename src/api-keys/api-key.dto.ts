import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidationOptions,
} from 'class-validator';
import { ApiCount, ApiId, ApiInstant, ApiInteger } from '../openapi/api-fields.js';
import { IsFutureInstant } from '../http/future-instant.js';
import { PageQueryDto } from '../http/page.dto.js';
import { IsText, Trim } from '../http/text.js';
import type { ApiKey } from './api-key.entity.js';
import { isIpRange } from '../config/ip-address.js';
import { ApiSecret } from './api-secret.js';
import { ENVIRONMENTS } from './secret.js';

const MAX_IP_RANGE_LENGTH = '0000:0000:0000:0000:0000:ffff:255.255.255.255/128'.length;

const IsIpRange = (options: ValidationOptions) =>
  ValidateBy(
    {
      name: 'isIpRange',
      validator: {
        // A zone such as %eth0 means something to one machine only.
        validate: (value: unknown) => isIpRange(value) && !value.includes('%'),
        defaultMessage: () => '$property must hold IP addresses and CIDR ranges',
      },
    },
    options,
  );

export class CreateApiKeyDto {
  /**
   * Where the key is used: 1 to 100 characters; white space around it is cut off.
   * @example 'Shop backend'
   */
  @Trim()
  @IsText(1, 100)
  name: string;

  /** Part of the secret, so that nobody mistakes one for the other. */
  @IsIn(ENVIRONMENTS)
  environment: 'live' | 'test';

  /**
   * At most 1000 characters.
   * @example 'Answers questions in the order form'
   */
  @IsOptional()
  @IsText(0, 1000)
  description?: string | null;

  /**
   * When the key stops by itself: in the future, with a time zone; null for never.
   */
  @IsOptional()
  @IsFutureInstant()
  expires_at?: string | null;

  /**
   * Requests per minute, 1 to 1,000,000; null takes the knowledge base's limit.
   * @example 600
   */
  @IsOptional()
  @IsInt()
  @ApiInteger()
  @Min(1)
  @Max(1_000_000)
  rate_limit_per_minute?: number | null;

  /**
   * Up to 100 IPv4 or IPv6 addresses and CIDR ranges the key may be used from; null for any.
   */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsIpRange({ each: true })
  @ApiProperty({ items: { type: 'string', maxLength: MAX_IP_RANGE_LENGTH } })
  allowed_ips?: string[] | null;
}

export class UpdateApiKeyDto {
  /**
   * 1 to 100 characters; white space around it is cut off.
   * @example 'Shop backend, Frankfurt'
   */
  @ValidateIf((_, value) => value !== undefined)
  @Trim()
  @IsText(1, 100)
  name?: string;

  /**
   * At most 1000 characters; null removes it.
   * @example 'Answers questions in the order form'
   */
  @IsOptional()
  @IsText(0, 1000)
  description?: string | null;

  /**
   * In the future, with a time zone; null for never.
   */
  @IsOptional()
  @IsFutureInstant()
  expires_at?: string | null;

  /**
   * Requests per minute, 1 to 1,000,000; null takes the knowledge base's limit.
   * @example 600
   */
  @IsOptional()
  @IsInt()
  @ApiInteger()
  @Min(1)
  @Max(1_000_000)
  rate_limit_per_minute?: number | null;

  /**
   * Up to 100 IPv4 or IPv6 addresses and CIDR ranges the key may be used from; null for any.
   */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsIpRange({ each: true })
  @ApiProperty({ items: { type: 'string', maxLength: MAX_IP_RANGE_LENGTH } })
  allowed_ips?: string[] | null;
}

export class RotateApiKeyDto {
  /**
   * How long the old key goes on, in seconds: 0 stops it at once, at most 30 days.
   * @example 86400
   */
  @ValidateIf((_, value) => value !== undefined)
  @IsInt()
  @ApiInteger()
  @Min(0)
  @Max(2_592_000)
  grace_period_seconds?: number = 86_400;
}

export class ListApiKeysDto extends PageQueryDto {
  /** Only keys that can, or cannot, be used now. */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  )
  @IsIn([true, false])
  active?: boolean;

  /** Only keys of this environment. */
  @IsOptional()
  @IsIn(ENVIRONMENTS)
  environment?: 'live' | 'test';
}

export class ApiKeyDto {
  @ApiId('key')
  id: string;
  @ApiId('kb')
  kb_id: string;
  /** @example 'Shop backend' */
  name: string;
  /** @example 'Answers questions in the order form' */
  description: string | null;
  environment: 'live' | 'test';
  /**
   * How to tell this key from others; the rest of the secret is shown nowhere.
   * @example 'rag_live_8fJ2kQ9xZa'
   */
  @ApiProperty({ pattern: '^rag_(live|test)_[0-9A-Za-z]{10}$' })
  prefix: string;
  /** Whether it can be used now: neither deactivated nor expired. */
  active: boolean;
  /** Deactivated keys never come back. */
  state: 'active' | 'deactivated';
  /**
   * Right to within 5 seconds.
   */
  @ApiInstant()
  last_used_at: string | null;
  @ApiInstant()
  created_at: string;
  /** @example 'alice' */
  created_by: string;
  @ApiInstant(null)
  expires_at: string | null;
  @ApiInstant(null)
  revoked_at: string | null;
  revoked_by: string | null;
  /** Null takes the knowledge base's limit. */
  @ApiInteger({ minimum: 1 })
  rate_limit_per_minute: number | null;
  /** Null for any. */
  allowed_ips: string[] | null;
  /** The key that this one succeeds. */
  @ApiId('key', null)
  rotated_from: string | null;
  /** The key that succeeds this one. */
  @ApiId('key', null)
  rotated_to: string | null;
}

/** What would break if the key were revoked now. */
export class ApiKeyUsageDto {
  /** @example 1250 */
  @ApiCount()
  requests_24h: number;
  /** @example 31000 */
  @ApiCount()
  requests_30d: number;
  @ApiInstant()
  last_used_at: string | null;
  /** @example '192.0.2.10' */
  last_ip: string | null;
  /** @example 2 */
  @ApiCount()
  distinct_ips_24h: number;
  /** How often the key was still tried after it was revoked. */
  @ApiCount()
  refused_uses_since_revoked: number;
  @ApiInstant(null)
  last_refused_at: string | null;
  last_refused_ip: string | null;
  /** The key that succeeds this one. */
  @ApiId('key', null)
  successor_id: string | null;
  /** Whether nobody has used the key in the last 24 hours. */
  safe_to_revoke: boolean;
}

export class IssuedApiKeyDto extends ApiKeyDto {
  /** The full secret. Store it now: it is shown this once and cannot be shown again. */
  @ApiSecret()
  api_key: string;
}

export function toApiKeyDto(key: ApiKey, now = new Date()): ApiKeyDto {
  return {
    id: key.id,
    kb_id: key.kbId,
    name: key.name,
    description: key.description,
    environment: key.environment,
    prefix: key.prefix,
    active: key.state === 'active' && (key.expiresAt === null || key.expiresAt > now),
    state: key.state,
    last_used_at: lastUse(key)?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    revoked_by: key.revokedBy,
    rate_limit_per_minute: key.rateLimitPerMinute,
    allowed_ips: key.allowedIps,
    rotated_from: key.rotatedFrom,
    rotated_to: key.rotatedTo,
  };
}

/** The first use is known at once, later ones when they are written down. */
export const lastUse = ({ activity, firstUsedAt }: ApiKey): Date | null =>
  activity?.lastUsedAt ?? firstUsedAt;
