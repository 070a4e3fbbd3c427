import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import { KnowledgeBase } from '../knowledge-base.entity.js';

@Entity('daily_message_counts')
@Retained({
  condition: 'day < :day',
  parameters: (before) => ({ day: before.toISOString().slice(0, 10) }),
  period: 24 * HOUR_MS,
})
export class DailyMessageCount {
  @PrimaryColumn('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** The day in UTC, such as `2026-11-20`. */
  @PrimaryColumn('varchar') day: string;
  @Column('integer') messages: number;
}
