import { ApiProperty } from '@nestjs/swagger';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { ApiBudget, BudgetDto } from '../knowledge-bases/budgets/budget.dto.js';
import type { MemberRole } from '../knowledge-bases/knowledge-base-member.entity.js';
import type { ManagementScope } from '../knowledge-bases/management-scope.js';
import { ApiFilter, ApiFilterModels } from '../knowledge-bases/metadata-filter/filter.dto.js';
import { ApiCount, ApiId, ApiInstant, ApiInteger } from '../platform/openapi/api-fields.js';
import { type KeyNotice, NOTICE_CODES } from './key-notices.js';
import { ApiScopes } from './api-key.dto.js';
import type { ApiKeyScope } from './scope.js';
import { SenderConstraintDto } from './sender-constraint.dto.js';

const KEY_KINDS = ['api_key', 'client_token', 'management_key'] as const;

export type KeyKindShown = (typeof KEY_KINDS)[number];

@ApiFilterModels()
export class HeldKnowledgeBaseDto {
  @ApiId('kb') kb_id: string;
  @ApiScopes() scopes: (ApiKeyScope | ManagementScope)[];
  @ApiFilter() filter: MetadataFilter | null;
  /** The role of the service account; null for other keys. */
  role: MemberRole | null;
}

/** Limits that are null do not exist, or are not shown to the holder. */
export class KeyLimitsDto {
  @ApiInteger({ minimum: 0 }) rate_limit_per_minute: number | null;
  @ApiInteger({ minimum: 0 }) rate_limit_per_end_user: number | null;
  @ApiInteger({ minimum: 0 }) daily_message_limit: number | null;
  /** The budget of the key and its successors together. */
  @ApiBudget() budget: BudgetDto | null;
  @ApiBudget() budget_per_end_user: BudgetDto | null;
}

export class KeyUseDto {
  @ApiCount() requests: number;
}

export class KeyNoticeDto {
  @ApiProperty({ type: 'string', enum: [...NOTICE_CODES] }) code: KeyNotice['code'];
  message: string;
  /** When the key expires. */
  @ApiInstant() at: string | null;
}

/** An agent that somebody connected to the key. */
export class KeyConnectionDto {
  @ApiId('conn') id: string;
  /**
   * The name that the client gives itself.
   * @example 'Claude'
   */
  client_name: string;
  /**
   * The host that vouches for the name; null if nobody does.
   * @example 'claude.ai'
   */
  client_host: string | null;
  @ApiInstant() connected_at: string;
  /** Accurate to 5 seconds. */
  @ApiInstant(null) last_used_at: string | null;
}

@ApiFilterModels()
export class KeyViewDto {
  /** The id of the key; for a client token, that of its key. */
  @ApiId('key') id: string;
  /** Null for a client token. */
  name: string | null;
  @ApiProperty({ type: 'string', enum: [...KEY_KINDS] }) kind: KeyKindShown;
  /** The knowledge bases of the key. */
  kbs: HeldKnowledgeBaseDto[];
  /** Every scope that is granted in at least one of the knowledge bases. */
  @ApiScopes() scopes: (ApiKeyScope | ManagementScope)[];
  /** The filter in the main knowledge base; null for all its documents. */
  @ApiFilter() filter: MetadataFilter | null;
  @ApiInstant(null) expires_at: string | null;
  limits: KeyLimitsDto;
  /** What remains of the limits now. */
  remaining: KeyLimitsDto;
  /** Null for a client token. */
  usage_30d: KeyUseDto | null;
  notices: KeyNoticeDto[];
  /** Whether you may rotate the key with the key itself, at `POST /key/rotate`. */
  self_rotation: boolean;
  /** Whose proof each request needs; null for none. */
  @ApiProperty({ type: SenderConstraintDto }) sender_constraint: SenderConstraintDto | null;
  /** The agents that are connected to the key, the latest first, at most 100; none for a client token. */
  connections: KeyConnectionDto[];
}
