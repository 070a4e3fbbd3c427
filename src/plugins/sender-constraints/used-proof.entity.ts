import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant } from '../../platform/database/dialect.js';
import { Retained } from '../../platform/jobs/retention.js';

/** A proof that any process could be sent again. */
@Entity('used_proofs')
@Index(['expiresAt'])
@Retained({ condition: 'expires_at < :before', period: 0 })
export class UsedProof {
  /** The SHA-256 of the thumbprint and the proof's `jti`. */
  @PrimaryColumn('varchar') id: string;

  @Column({ type: instant }) expiresAt: Date;
}
