import { Transform } from 'class-transformer';
import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import { IsFutureInstant } from '../http/future-instant.js';
import { PageQueryDto } from '../http/page.dto.js';
import { IsText, Trim } from '../http/text.js';
import type { ApiKey } from './api-key.entity.js';
import { ENVIRONMENTS } from './secret.js';

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
   * @example '2099-12-31T23:59:59.000Z'
   */
  @IsOptional()
  @IsFutureInstant()
  expires_at?: string | null;
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
   * @example '2099-12-31T23:59:59.000Z'
   */
  @IsOptional()
  @IsFutureInstant()
  expires_at?: string | null;
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
  /** @example 'key_01kafdp6ygf4rs4s2cr5cvzwkc' */
  id: string;
  /** @example 'kb_01kafdp6ygf4rs4s2cr5cvzwkc' */
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
  prefix: string;
  /** Whether it can be used now: neither deactivated nor expired. */
  active: boolean;
  /** Deactivated keys never come back. */
  state: 'active' | 'deactivated';
  /**
   * Right to within 5 seconds.
   * @example '2026-11-20T09:30:00.000Z'
   */
  last_used_at: string | null;
  /** @example '2026-11-20T09:30:00.000Z' */
  created_at: string;
  /** @example 'alice' */
  created_by: string;
  /** @example null */
  expires_at: string | null;
  /** @example null */
  revoked_at: string | null;
  /** @example null */
  revoked_by: string | null;
}

export class IssuedApiKeyDto extends ApiKeyDto {
  /**
   * The full secret. Store it now: it is shown this once and cannot be shown again.
   * @example 'rag_live_8fJ2kQ9xZaP0mW4vT7cR1yB6nH3sD5gL2jK8qF9eX1uVaBcDe'
   */
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
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    revoked_by: key.revokedBy,
  };
}
