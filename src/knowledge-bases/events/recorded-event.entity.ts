import { Column, Entity, Index } from 'typeorm';
import type { Config } from '../../platform/config/config.js';
import { instant, json, SerialColumn } from '../../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import type { Change, Event, EventData } from './event.js';

/** How long changes are kept after their knowledge base is deleted: AUDIT_RETENTION_DAYS. */
export const auditRetention = ({ AUDIT_RETENTION_DAYS }: Config): number =>
  AUDIT_RETENTION_DAYS * 24 * HOUR_MS;

/**
 * Everything that happened. The audit list shows the changes; occurrences are removed when every reader has
 * read them. There are no foreign keys, because changes outlive their knowledge base.
 */
@Entity('events')
@Index(['id'], { unique: true })
@Index(['kbId', 'id'], { where: 'actor IS NOT NULL' })
@Index(['kbId', 'actor', 'id'], { where: 'actor IS NOT NULL' })
@Index(['kbId', 'action', 'id'], { where: 'actor IS NOT NULL' })
@Index(['seq'], { where: 'actor IS NULL' })
@Retained({
  condition: `actor IS NOT NULL
    AND kb_id IN (SELECT kb_id FROM former_owners WHERE deleted_at < :before)`,
  period: auditRetention,
})
export class RecordedEvent {
  /** The position of the event for readers, in the order in which transactions wrote their events. */
  @SerialColumn() seq: number;
  @Column('varchar') id: string;

  /** The knowledge base, or the service account, in which it happened. */
  @Column('varchar') kbId: string;
  @Column('varchar') action: Event['action'];

  /**
   * The id of a dashboard user, a service account or a source, or else `leak-report` or `webhook-delivery`;
   * null for an occurrence.
   */
  @Column('varchar', { nullable: true }) actor: string | null;
  @Column('varchar', { nullable: true }) targetId: string | null;
  @Column('varchar', { nullable: true }) requestId: string | null;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: json, nullable: true }) details: object | null;

  /** The data for subscribers; null if nobody can subscribe to the event. */
  @Column({ type: json, nullable: true }) data: EventData | null;
}

/** A change by somebody, as opposed to an occurrence. */
export interface RecordedChange extends RecordedEvent {
  readonly action: Change;
  readonly actor: string;
  readonly targetId: string;
  readonly requestId: string;
  readonly details: object;
}

export const isChange = (event: RecordedEvent): event is RecordedChange => event.actor !== null;
