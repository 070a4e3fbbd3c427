import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant } from '../../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';

/** When an event was last reported, for events that are not reported every time. */
@Entity('webhook_notices')
@Index(['reportedAt'])
// A notice is needed for eight days at most.
@Retained({ condition: 'told_at < :before', period: 30 * 24 * HOUR_MS })
export class EventNotice {
  /** The event and the object it is about, such as `api_key.used_after_revocation key_…`. */
  @PrimaryColumn('varchar') subject: string;

  /** The moment that the event announces, such as the expiry of a key. */
  @Column({ type: instant, nullable: true }) announcedAt: Date | null;
  @Column({ name: 'told_at', type: instant }) reportedAt: Date;
}
