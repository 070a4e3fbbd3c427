import { ApiProperty } from '@nestjs/swagger';
import { ApiBudget, BudgetDto } from '../knowledge-bases/budgets/budget.dto.js';
import type { ApiKeyEnvironment } from '../knowledge-bases/key-environment.js';
import { ApiId, ApiInstant, ApiInteger } from '../platform/openapi/api-fields.js';
import { type MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { MANAGEMENT_SCOPES, type ManagementScope } from '../knowledge-bases/management-scope.js';
import { ApiFilter, ApiFilterModels } from '../knowledge-bases/metadata-filter/filter.dto.js';
import { SelfRotationDto } from './api-key-requests.dto.js';
import { SenderConstraintDto, toSenderConstraint } from './sender-constraint.dto.js';
import { keyStatus } from './api-key-status.js';
import type { ApiKeyGrant } from './api-key-grant.entity.js';
import type { ApiKey } from './api-key.entity.js';
import {
  type KeyPolicy,
  POLICY_VIOLATIONS,
  policyViolations,
  type PolicyViolation,
} from './key-policy.js';
import { SECRET_SCHEMA } from './api-secret.js';
import { API_KEY_SCOPES, type ApiKeyScope } from './scope.js';

/** Documents a list of scopes of keys of any kind. */
export const ApiScopes = () =>
  ApiProperty({
    type: 'array',
    items: {
      ...{ 'x-name': 'Scope' },
      type: 'string',
      enum: [...new Set([...API_KEY_SCOPES, ...MANAGEMENT_SCOPES])],
    },
  });

@ApiFilterModels()
export class OpenedKnowledgeBaseDto {
  @ApiId('kb') kb_id: string;
  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...API_KEY_SCOPES] } })
  scopes: ApiKeyScope[];
  @ApiFilter() filter: MetadataFilter | null;
}

@ApiFilterModels()
export class ApiKeyDto {
  @ApiId('key') id: string;
  /**
   * The main knowledge base, whose settings apply, with its `scopes` and `filter`; where you may not see
   * it, another one that the key opens. Null for a key of a service account.
   */
  @ApiId('kb') kb_id: string | null;
  /** The service account that owns the key; null for a key of a knowledge base. */
  @ApiId('sa', null) service_account_id: string | null;
  /** @example 'Shop backend' */
  name: string;
  /** @example 'Answers questions in the order form' */
  description: string | null;
  /** Null for a key of a service account. */
  environment: ApiKeyEnvironment | null;
  /**
   * Identifies the key in lists; the rest of the secret is shown nowhere.
   * @example 'rag_live_8fJ2kQ9xZa'
   */
  @ApiProperty({ pattern: '^rag_(live|test|admin)_[0-9A-Za-z]{10}$' }) prefix: string;
  /** Whether the key can be used now: it is neither revoked nor expired. */
  active: boolean;
  /** A deactivated key never becomes active again. */
  state: 'active' | 'deactivated';
  /**
   * Accurate to 5 seconds.
   */
  @ApiInstant() last_used_at: string | null;
  @ApiInstant() created_at: string;
  /** @example 'alice' */
  created_by: string;
  @ApiInstant(null) expires_at: string | null;
  @ApiInstant(null) revoked_at: string | null;
  revoked_by: string | null;
  /** Requests per minute; null if the knowledge base’s limit applies. */
  @ApiInteger({ minimum: 1 }) rate_limit_per_minute: number | null;
  /** Requests per minute of one end user; null if the knowledge base’s limit, if any, applies. */
  @ApiInteger({ minimum: 1 }) rate_limit_per_end_user: number | null;
  /** The budget that the key and its successors share; null for none. */
  @ApiBudget() budget: BudgetDto | null;
  /** Addresses and CIDR ranges that may use the key; null for any. */
  allowed_ips: string[] | null;
  /**
   * The scopes of the key.
   * @example ["query", "chat", "feedback"]
   */
  @ApiScopes()
  scopes: (ApiKeyScope | ManagementScope)[];
  /** The documents that the key may read; null for all of the knowledge base. */
  @ApiFilter() filter: MetadataFilter | null;
  /** The knowledge bases of the key that you may see; empty for a key of a service account. */
  kbs: OpenedKnowledgeBaseDto[];
  /**
   * The principals whose documents the key may read.
   * @example ['group:support']
   */
  principals: string[];
  /** Whether the holder may rotate the key with the key itself; null if only members may. */
  @ApiProperty({ type: SelfRotationDto }) self_rotation: SelfRotationDto | null;
  /** Whose proof each request with the key needs; null for none. */
  @ApiProperty({ type: SenderConstraintDto }) sender_constraint: SenderConstraintDto | null;
  /** The predecessor of this key. */
  @ApiId('key', null) rotated_from: string | null;
  /** The successor of this key. */
  @ApiId('key', null) rotated_to: string | null;
  /** Requirements of the service’s policy that this key does not meet, if it can be used. */
  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...POLICY_VIOLATIONS] } })
  policy_violations: PolicyViolation[];
}

export class IssuedApiKeyDto extends ApiKeyDto {
  /** The full secret. Store it now: it is never shown again. */
  @ApiProperty({
    ...SECRET_SCHEMA,
    pattern: '^rag_(live|test|admin)_[0-9A-Za-z]{48}$',
    maxLength: 58,
  })
  api_key: string;
}

/**
 * @param shown the grants that the reader may see, at least one; none for a key of a service account
 * @param now by the database's clock
 */
export function toApiKeyDto(
  key: ApiKey,
  shown: readonly ApiKeyGrant[],
  now: Date,
  policy: KeyPolicy,
): ApiKeyDto {
  const [main] = shown;
  const active = keyStatus(key, now) === 'usable';
  return {
    id: key.id,
    kb_id: main?.kbId ?? null,
    service_account_id: key.ownerType === 'service_account' ? key.ownerId : null,
    name: key.name,
    description: key.description,
    environment: key.environment === 'admin' ? null : key.environment,
    prefix: key.prefix,
    active,
    state: key.state,
    last_used_at: lastUse(key)?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    revoked_by: key.revokedBy,
    rate_limit_per_minute: key.rateLimitPerMinute,
    rate_limit_per_end_user: key.rateLimitPerEndUser,
    budget: key.budget,
    allowed_ips: key.allowedIps,
    scopes: main?.scopes ?? key.managementScopes ?? [],
    filter: main?.filter ?? null,
    kbs: shown.map(({ kbId, scopes, filter }) => ({ kb_id: kbId, scopes, filter })),
    principals: key.principals ?? [],
    self_rotation: toSelfRotation(key),
    sender_constraint: toSenderConstraint(key.dpopJkt),
    rotated_from: key.rotatedFrom,
    rotated_to: key.rotatedTo,
    policy_violations: active ? policyViolations(key, policy) : [],
  };
}

const toSelfRotation = ({ selfRotationGraceSeconds: seconds }: ApiKey): SelfRotationDto | null =>
  seconds === null ? null : { grace_seconds: seconds };

/** The first use is stored at once, later ones within seconds. */
export const lastUse = ({ activity, firstUsedAt }: ApiKey): Date | null =>
  activity?.lastUsedAt ?? firstUsedAt;
