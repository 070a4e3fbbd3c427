import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant, json } from '../../platform/database/dialect.js';
import type { Config } from '../../platform/config/config.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';

/** How long events outlive their knowledge base: AUDIT_RETENTION_DAYS. */
export const auditRetention = ({ AUDIT_RETENTION_DAYS }: Config): number =>
  AUDIT_RETENTION_DAYS * 24 * HOUR_MS;

export const AUDIT_ACTIONS = [
  'knowledge_base.created',
  'knowledge_base.updated',
  'knowledge_base.reindexed',
  'knowledge_base.deleted',
  'knowledge_base.asked_as',
  'settings.updated',
  'legal_hold.set',
  'legal_hold.lifted',
  'access_set.created',
  'access_set.updated',
  'access_set.deleted',
  'member.added',
  'member.role_changed',
  'member.removed',
  'api_key.created',
  'api_key.reissued',
  'api_key.updated',
  'api_key.revoked',
  'api_key.rotated',
  'api_key.deleted',
  'api_key.taken_out',
  'api_key.reported_as_leaked',
  'trusted_issuer.created',
  'trusted_issuer.deleted',
  'service_account.created',
  'service_account.updated',
  'service_account.deleted',
  'document.added',
  'document.replaced',
  'document.updated',
  'document.reindexed',
  'document.deleted',
  'curated_answer.created',
  'curated_answer.updated',
  'curated_answer.deleted',
  'conversation.deleted',
  'conversations.erased',
  'source.created',
  'source.updated',
  'source.run_requested',
  'source.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.activated',
  'webhook.deactivated',
  'webhook.deleted',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Without foreign keys, because events outlive their knowledge base. */
@Entity('audit_events')
@Index(['kbId', 'id'])
@Index(['kbId', 'actor', 'id'])
@Index(['kbId', 'action', 'id'])
@Retained({
  condition: 'kb_id IN (SELECT kb_id FROM former_owners WHERE deleted_at < :before)',
  period: auditRetention,
})
export class AuditEvent {
  @PrimaryColumn('varchar') id: string;

  /** The knowledge base, or the service account, that was changed. */
  @Column('varchar') kbId: string;

  /** A dashboard user's id, that of a service account or a source, `leak-report`, or `webhook-delivery`. */
  @Column('varchar') actor: string;
  @Column('varchar') action: AuditAction;
  @Column('varchar') targetId: string;
  @Column({ type: instant }) createdAt: Date;
  @Column('varchar') requestId: string;
  @Column({ type: json }) details: object;
}
