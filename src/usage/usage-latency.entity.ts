import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/** How many answers took about that long; see UsageCount for the time they were given in. */
@Entity('usage_latencies', { withoutRowid: true })
export class UsageLatency {
  @PrimaryColumn('varchar')
  kbId: string;

  @ManyToOne(() => KnowledgeBase, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'kb_id' })
  knowledgeBase: Relation<KnowledgeBase>;

  @PrimaryColumn('integer')
  grain: number;

  @PrimaryColumn('integer')
  quarter: number;

  @PrimaryColumn('varchar')
  apiKeyId: string;

  /** See latency-buckets.ts. */
  @PrimaryColumn('integer')
  bucket: number;

  @Column('varchar')
  environment: 'live' | 'test';

  @Column('integer')
  answers: number;
}
