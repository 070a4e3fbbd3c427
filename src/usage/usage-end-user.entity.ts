import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Relation } from 'typeorm';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/**
 * That somebody was asked for with a key on a day, and in which quarters of its hours: so that
 * those who came in any time, in any time zone, can be told apart and counted once.
 */
@Entity('usage_end_users', { withoutRowid: true })
@Index(['kbId', 'endUser'])
export class UsageEndUser {
  @PrimaryColumn('varchar')
  kbId: string;

  @ManyToOne(() => KnowledgeBase, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'kb_id' })
  knowledgeBase: Relation<KnowledgeBase>;

  /** UTC, counted from 1970. */
  @PrimaryColumn('integer')
  day: number;

  @PrimaryColumn('varchar')
  apiKeyId: string;

  /** See end-users.ts; below 0, it is nobody's any more. */
  @PrimaryColumn('bigint')
  endUser: number;

  @Column('varchar')
  environment: 'live' | 'test';

  /** A bit for each quarter of an hour before noon. */
  @Column('bigint')
  morning: number;

  /** A bit for each quarter of an hour from noon on. */
  @Column('bigint')
  afternoon: number;
}
