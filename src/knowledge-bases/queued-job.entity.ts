import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { instant } from '../platform/database/dialect.js';
import { PurgedInBatches } from './declared-purges.js';
import { KnowledgeBase } from './knowledge-base.entity.js';

/** Work that waits in a queue, or that a process has leased; the row is deleted when the work ends. */
@Entity('queued_jobs')
@Index(['queue', 'state', 'userId', 'kbId', 'priority', 'subjectId'])
@Index(['queue', 'state', 'dueAt'])
@Index(['kbId'])
@PurgedInBatches()
export class QueuedJob {
  @PrimaryColumn('varchar') queue: string;

  /** The row of another table that the work is about. */
  @PrimaryColumn('varchar') subjectId: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** The creator of the knowledge base. Users take turns. */
  @Column('varchar') userId: string;

  /** How the work is to be done, if the queue distinguishes that. */
  @Column('varchar') kind: string;

  /** The lowest of a knowledge base comes first. */
  @Column('bigint') priority: number;

  /** `waiting` until a process leases it. */
  @Column('varchar') state: 'waiting' | 'leased';

  /** When it may be leased and, while it is leased, when the lease expires. */
  @Column({ type: instant }) dueAt: Date;

  /** The id of the lease, which no other lease has, so that holders of earlier ones change nothing. */
  @Column('varchar', { nullable: true }) lease: string | null;

  /** How often it was leased since it was queued, without leases that do not count. */
  @Column('integer') attempts: number;
}
