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

const KEY_KINDS = ['api_key', 'client_token', 'management_key'] as const;

export type KeyKindShown = (typeof KEY_KINDS)[number];

@ApiFilterModels()
export class HeldKnowledgeBaseDto {
  @ApiId('kb') kb_id: string;
  @ApiScopes() scopes: (ApiKeyScope | ManagementScope)[];
  @ApiFilter() filter: MetadataFilter | null;
  /** Of the service account; null for other keys. */
  role: MemberRole | null;
}

/** Null where there is no limit, or none that the holder is told. */
export class KeyLimitsDto {
  @ApiInteger({ minimum: 0 }) rate_limit_per_minute: number | null;
  @ApiInteger({ minimum: 0 }) rate_limit_per_end_user: number | null;
  @ApiInteger({ minimum: 0 }) daily_message_limit: number | null;
  /** Of the key and its successors together. */
  @ApiBudget() budget: BudgetDto | null;
  @ApiBudget() budget_per_end_user: BudgetDto | null;
}

export class KeyUseDto {
  @ApiCount() requests: number;
}

export class KeyNoticeDto {
  @ApiProperty({ type: 'string', enum: [...NOTICE_CODES] }) code: KeyNotice['code'];
  message: string;
  /** When the key stops. */
  @ApiInstant() at: string | null;
}

@ApiFilterModels()
export class KeyViewDto {
  /** Of a client token, that of its key. */
  @ApiId('key') id: string;
  /** Null for a client token. */
  name: string | null;
  @ApiProperty({ type: 'string', enum: [...KEY_KINDS] }) kind: KeyKindShown;
  /** What it opens. */
  kbs: HeldKnowledgeBaseDto[];
  /** In all of them together. */
  @ApiScopes() scopes: (ApiKeyScope | ManagementScope)[];
  /** Of the main knowledge base; null for all its documents. */
  @ApiFilter() filter: MetadataFilter | null;
  @ApiInstant(null) expires_at: string | null;
  limits: KeyLimitsDto;
  /** What is left of the limits now. */
  remaining: KeyLimitsDto;
  /** Null for a client token. */
  usage_30d: KeyUseDto | null;
  notices: KeyNoticeDto[];
}
