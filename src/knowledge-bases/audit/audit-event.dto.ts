import { isTypeId } from '../../platform/http/type-id.js';
import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';
import { CHANGES, type Change } from '../events/event.js';
import type { RecordedChange } from '../events/recorded-event.entity.js';

export class AuditEventDto {
  @ApiId('audit') id: string;
  /** The knowledge base; null for a change of a service account. */
  @ApiId('kb') kb_id: string | null;
  /**
   * The id of the dashboard user, or `leak-report`.
   * @example 'alice'
   */
  actor: string;
  /** @example 'api_key.revoked' */
  @ApiProperty({ enum: CHANGES, enumName: 'Change' }) action: Change;
  /**
   * The id of what was changed; for members the user’s id.
   * @example 'key_01kafdp6ygf4rs4s2cr5cvzwkc'
   */
  target_id: string;
  @ApiInstant() created_at: string;
  /**
   * The X-Request-Id of the response.
   * @example '0c8c1c9e-6b0e-4c1b-9d39-9d1a2f7c5d54'
   */
  request_id: string;
  /** @example { "prefix": "rag_live_8fJ2kQ9xZa" } */
  details: Record<string, unknown>;
}

export const toAuditEventDto = (event: RecordedChange): AuditEventDto => ({
  id: event.id,
  kb_id: isTypeId('kb', event.kbId) ? event.kbId : null,
  actor: event.actor,
  action: event.action,
  target_id: event.targetId,
  created_at: event.createdAt.toISOString(),
  request_id: event.requestId,
  details: { ...event.details },
});
