import type { AuditEvent } from './audit-event.entity.js';

export class AuditEventDto {
  /** @example 'audit_01kafdp6ygf4rs4s2cr5cvzwkc' */
  id: string;
  /**
   * The dashboard user's id, or `leak-report`.
   * @example 'alice'
   */
  actor: string;
  /** @example 'api_key.revoked' */
  action: string;
  /** @example 'key_01kafdp6ygf4rs4s2cr5cvzwkc' */
  target_id: string;
  /** @example '2026-11-20T09:30:00.000Z' */
  created_at: string;
  /** The X-Request-Id of the answer. */
  request_id: string;
  /** @example { "prefix": "rag_live_8fJ2kQ9xZa" } */
  details: Record<string, unknown>;
}

export const toAuditEventDto = (event: AuditEvent): AuditEventDto => ({
  id: event.id,
  actor: event.actor,
  action: event.action,
  target_id: event.targetId,
  created_at: event.createdAt.toISOString(),
  request_id: event.requestId,
  details: { ...event.details },
});
