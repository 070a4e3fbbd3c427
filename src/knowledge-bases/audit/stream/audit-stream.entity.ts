import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SerialColumn } from '../../../platform/database/dialect.js';

/** An event for AUDIT_LOG, inserted in the transaction of the change that it reports, until it is sealed. */
@Entity('audit_outbox')
export class AuditOutboxEvent {
  @SerialColumn() number: number;

  /** The event in OCSF, as JSON. */
  @Column('text') event: string;
}

/** Lines of AUDIT_LOG, byte for byte as they are written, until they have been. */
@Entity('audit_batches')
export class AuditBatch {
  @SerialColumn() number: number;
  @Column('varchar') chainId: string;
  /** Of the first line. */
  @Column('bigint') sequence: number;
  /** Of the last line. */
  @Column('bigint') lastSequence: number;
  @Column('text') lines: string;
}

export const CHAIN = 'audit_log';

/** The end of the chain of lines; one row. */
@Entity('audit_chain')
export class AuditChainHead {
  @PrimaryColumn('varchar') id: typeof CHAIN;
  /** Random: a database that was restored begins a new chain. */
  @Column('varchar') chainId: string;
  /** Of the last line; 0 before the first. */
  @Column('bigint') sequence: number;
  /** The last line's; empty before the first. */
  @Column('varchar') hash: string;
}
