import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant } from '../../platform/database/dialect.js';
import { Retained } from '../../platform/jobs/retention.js';

/** A challenge that was solved, and could be sent again to any process. */
@Entity('used_challenges')
@Index(['expiresAt'])
@Retained({ condition: 'expires_at < :before', period: 0 })
export class UsedChallenge {
  @PrimaryColumn('varchar') id: string;

  @Column({ type: instant }) expiresAt: Date;
}
