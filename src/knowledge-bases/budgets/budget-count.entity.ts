import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import { PurgedInBatches } from '../declared-purges.js';
import { KnowledgeBase } from '../knowledge-base.entity.js';
import { type BudgetPeriod, type BudgetUnit, periodStart } from './budget.js';

/** How much of a budget is used in a period. There is a row only if something was used. */
@Entity('budget_counts', { withoutRowid: true })
@PurgedInBatches()
@Retained({
  condition: `(period = 'day' AND start < :day) OR (period = 'month' AND start < :month)`,
  parameters: (before) => ({
    day: periodStart('day', before),
    month: periodStart('month', before),
  }),
  period: 24 * HOUR_MS,
})
export class BudgetCount {
  @PrimaryColumn('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** The first key of a line of successors, or the number of an end user. */
  @PrimaryColumn('varchar') subject: string;
  @PrimaryColumn('varchar') unit: BudgetUnit;
  @PrimaryColumn('varchar') period: BudgetPeriod;

  /** The day that the period begins on (UTC), such as `2026-11-01`. */
  @PrimaryColumn('varchar') start: string;

  /** The amount used by complete answers; money in billionths. */
  @Column('bigint') spent: number;

  /** The most that answers begun in `heldWindow` may use, which are being written. */
  @Column('bigint') held: number;

  /** The amount for answers begun in the window before. No answer is written for longer than a window. */
  @Column('bigint') heldBefore: number;

  /** The window in which something was last reserved: its number since 1970. */
  @Column('bigint') heldWindow: number;

  /** The highest share that an event was recorded for. */
  @Column('float') announced: number;
}
