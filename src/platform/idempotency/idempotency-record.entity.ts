import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant, json } from '../database/dialect.js';

@Entity('idempotency_records')
@Index(['createdAt'])
export class IdempotencyRecord {
  /** SHA-256 of the user, the operation and the Idempotency-Key. */
  @PrimaryColumn('varchar') id: string;

  /** SHA-256 of the body. */
  @Column('varchar') fingerprint: string;

  /** The first answer, without a secret. */
  @Column({ type: json }) answer: object;
  @Column({ type: instant }) createdAt: Date;
}
