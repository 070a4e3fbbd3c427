import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from '../database/dialect.js';

/** The lease of a process on a background job that only one process may run at a time. */
@Entity('job_leases')
export class JobLease {
  @PrimaryColumn('varchar') job: string;

  /** The process that holds the lease, by an id generated at its start. */
  @Column('varchar') holder: string;

  /**
   * The expiry by the database's clock. Afterwards any process may take the lease, since its holder has
   * died.
   */
  @Column({ type: instant }) expiresAt: Date;
}
