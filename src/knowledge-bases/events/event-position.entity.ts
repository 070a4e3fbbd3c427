import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from '../../platform/database/dialect.js';

/** How far a reader of events has come. */
@Entity('event_readers')
export class EventPosition {
  /** The name that the reader declares. */
  @PrimaryColumn('varchar') name: string;

  /** The `seq` of the last event that it has read. */
  @Column('bigint') position: number;

  /** When a process last ran it. */
  @Column({ type: instant }) seenAt: Date;
}
