import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from '../database/dialect.js';

/** Who works in the background on what only one process should work on at a time. */
@Entity('job_leases')
export class JobLease {
  @PrimaryColumn('varchar')
  job: string;

  /** The process that holds it, by a name of this one run. */
  @Column('varchar')
  holder: string;

  /** By the database's clock. After that anybody may take it: its holder has died. */
  @Column({ type: instant })
  expiresAt: Date;
}
