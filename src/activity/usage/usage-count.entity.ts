import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { formatHistogram, type LatencyHistogram, parseHistograms } from './latency-histogram.js';

/** The roll-up: what was counted for one key in one quarter of an hour. Reports add up its rows. */
@Entity('usage_counts', { withoutRowid: true })
export class UsageCount {
  @PrimaryColumn('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** See quarter.ts. */
  @PrimaryColumn('integer') quarter: number;
  @PrimaryColumn('varchar') apiKeyId: string;
  @Column('varchar') environment: ApiKeyEnvironment;
  @Column('integer') queries: number;
  @Column('integer') chats: number;

  /** Begun in that time. */
  @Column('integer') conversations: number;
  @Column('integer') answered: number;
  @Column('integer') unanswered: number;

  /** Of answers given in that time, whenever they were rated. */
  @Column('integer') up: number;
  @Column('integer') down: number;
  @Column('bigint') promptTokens: number;
  @Column('bigint') completionTokens: number;

  /** Requests that were refused although the key was a real one. */
  @Column('integer') refused: number;

  /**
   * As text, because a row for each bucket would be 14 times as many rows: too many to add up in the
   * 100 ms that a report may take.
   */
  @Column('text', { transformer: { from: parseHistograms, to: formatHistogram } })
  latencies: LatencyHistogram;
}
