import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant, json } from '../../platform/database/dialect.js';
import type { Config } from '../../platform/config/config.js';
import type { Change } from '../events/event.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';

/** How long events are kept after their knowledge base is deleted: AUDIT_RETENTION_DAYS. */
export const auditRetention = ({ AUDIT_RETENTION_DAYS }: Config): number =>
  AUDIT_RETENTION_DAYS * 24 * HOUR_MS;

/** There are no foreign keys, because events outlive their knowledge base. */
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

  /**
   * The id of a dashboard user, a service account or a source, or else `leak-report` or `webhook-delivery`.
   */
  @Column('varchar') actor: string;
  @Column('varchar') action: Change;
  @Column('varchar') targetId: string;
  @Column({ type: instant }) createdAt: Date;
  @Column('varchar') requestId: string;
  @Column({ type: json }) details: object;
}
