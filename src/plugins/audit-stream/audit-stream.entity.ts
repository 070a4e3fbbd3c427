import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SerialColumn } from '../../platform/database/dialect.js';

/** An event for AUDIT_LOG until it is sealed, inserted by AuditStreamReader or AuditNotes. */
@Entity('audit_outbox')
export class AuditOutboxEvent {
  @SerialColumn() number: number;

  /** The event in OCSF, as JSON. */
  @Column('text') event: string;
}

/** Lines of AUDIT_LOG, byte for byte, until they are written. */
@Entity('audit_batches')
export class AuditBatch {
  @SerialColumn() number: number;
  @Column('varchar') chainId: string;
  /** The number of the first line. */
  @Column('bigint') sequence: number;
  /** The number of the last line. */
  @Column('bigint') lastSequence: number;
  @Column('text') lines: string;
}

export const CHAIN = 'audit_log';

/** The end of the chain of lines; one row. */
@Entity('audit_chain')
export class AuditChainHead {
  @PrimaryColumn('varchar') id: typeof CHAIN;
  /** A random id, because a restored database begins a new chain. */
  @Column('varchar') chainId: string;
  /** The number of the last line; 0 before the first. */
  @Column('bigint') sequence: number;
  /** The hash of the last line; empty before the first. */
  @Column('varchar') hash: string;
}
