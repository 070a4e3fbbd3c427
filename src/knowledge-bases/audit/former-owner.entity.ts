import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant } from '../../platform/database/dialect.js';
import { Retained } from '../../platform/jobs/retention.js';
import { auditRetention } from '../events/recorded-event.entity.js';

/** A former owner of a deleted knowledge base, who may read its events as long as they are kept. */
@Entity('former_owners')
@Index(['deletedAt'])
@Retained({
  // Former owners are deleted after the events, which are found through them.
  condition: `deleted_at < :before
    AND NOT EXISTS (SELECT 1 FROM events
      WHERE events.kb_id = former_owners.kb_id AND events.actor IS NOT NULL)`,
  period: auditRetention,
})
export class FormerOwner {
  @PrimaryColumn('varchar') userId: string;
  @PrimaryColumn('varchar') kbId: string;

  /** When the knowledge base was deleted. */
  @Column({ type: instant }) deletedAt: Date;
}
