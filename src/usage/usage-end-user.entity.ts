import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/**
 * That somebody was asked for with a key in a quarter of an hour: so that those who came in any
 * time, in any time zone, can be told apart and counted once.
 */
@Entity('usage_end_users', { withoutRowid: true })
@Index(['kbId', 'endUser', 'quarter'])
export class UsageEndUser {
  @PrimaryColumn('varchar')
  kbId: string;

  @ManyToOne(() => KnowledgeBase, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'kb_id' })
  knowledgeBase: Relation<KnowledgeBase>;

  /** See quarters.ts. */
  @PrimaryColumn('integer')
  quarter: number;

  /** The key's, so that its end users are found in the index alone. */
  @PrimaryColumn('varchar')
  environment: 'live' | 'test';

  @PrimaryColumn('varchar')
  apiKeyId: string;

  /** See end-users.ts; below 0, it is nobody's any more. */
  @PrimaryColumn('bigint')
  endUser: number;
}
