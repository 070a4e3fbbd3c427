import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/**
 * What was counted for one key in one stretch of time. The same is counted by quarters of an hour,
 * hours, six hours and days (UTC): a report takes the longest that fit into what it asks for, and an
 * hour or a day of any time zone begins with a quarter.
 */
@Entity('usage_counts', { withoutRowid: true })
export class UsageCount {
  @PrimaryColumn('varchar')
  kbId: string;

  @ManyToOne(() => KnowledgeBase, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'kb_id' })
  knowledgeBase: Relation<KnowledgeBase>;

  /** How many quarters of an hour it spans: 1, 4, 24 or 96. */
  @PrimaryColumn('integer')
  grain: number;

  /** Its first quarter of an hour, counted from 1970. */
  @PrimaryColumn('integer')
  quarter: number;

  @PrimaryColumn('varchar')
  apiKeyId: string;

  @Column('varchar')
  environment: 'live' | 'test';

  @Column('integer')
  queries: number;

  @Column('integer')
  chats: number;

  /** Begun in that time. */
  @Column('integer')
  conversations: number;

  @Column('integer')
  answered: number;

  @Column('integer')
  unanswered: number;

  /** Of answers given in that time, whenever they were rated. */
  @Column('integer')
  up: number;

  @Column('integer')
  down: number;

  @Column('bigint')
  promptTokens: number;

  @Column('bigint')
  completionTokens: number;

  @Column('integer')
  refused: number;
}
