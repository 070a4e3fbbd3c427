import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant, json } from '../database/dialect.js';
import { HOUR_MS, Retained } from '../jobs/retention.js';

/** The time for which an Idempotency-Key is stored. */
export const IDEMPOTENCY_LIFETIME_MS = 24 * HOUR_MS;

@Entity('idempotency_records')
@Index(['createdAt'])
@Retained({ condition: 'created_at < :before', period: IDEMPOTENCY_LIFETIME_MS })
export class IdempotencyRecord {
  /** SHA-256 of the user, the operation and the Idempotency-Key. */
  @PrimaryColumn('varchar') id: string;

  /** SHA-256 of the body. */
  @Column('varchar') fingerprint: string;

  /** The first response, without secrets. */
  @Column({ type: json }) answer: object;
  @Column({ type: instant }) createdAt: Date;
}
