import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from '../database/dialect.js';

/** The lease of a process on a background job that only one process may run at a time. */
@Entity('job_leases')
export class JobLease {
  @PrimaryColumn('varchar')
  job: string;

  /** The process that holds the lease, by an id generated at its start. */
  @Column('varchar')
  holder: string;

  /** By the database's clock. After this time the holder counts as dead, and others may take the lease. */
  @Column({ type: instant })
  expiresAt: Date;
}
