import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { HOUR_MS, Retained } from '../platform/jobs/retention.js';
import type { ApiKeyEnvironment } from '../knowledge-bases/key-environment.js';
import { PurgedInBatches } from '../knowledge-bases/declared-purges.js';
import { UNDER_LEGAL_HOLD } from '../knowledge-bases/settings/legal-hold.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { toQuarter } from './quarter.js';

/**
 * The participants of requests in a period. Distinct participants cannot be added up over periods, so
 * reports count them over these rows. `end_user` is counted by quarters of an hour, see endUserNumber();
 * `model` (the model that answered, or `extractive`) by quarters of an hour; `document` (on which answers
 * are based) by days (UTC) and over all keys; `address` (from which a key was used) by quarters of an hour,
 * for two days.
 */
@Entity('usage_members', { withoutRowid: true })
@Index(['kbId', 'member', 'quarter'], { where: `kind = 'end_user'` })
@Index(['apiKeyId', 'quarter'], { where: `kind = 'address'` })
@PurgedInBatches()
@Retained({
  groups: `SELECT id AS "kbId" FROM knowledge_bases`,
  condition: `kb_id = :kbId AND kind = 'address' AND quarter < :quarter
    AND kb_id NOT IN (${UNDER_LEGAL_HOLD})`,
  parameters: (before) => ({ quarter: toQuarter(before) }),
  period: 48 * HOUR_MS,
})
export class UsageMember {
  @PrimaryColumn('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  @PrimaryColumn('varchar') kind: 'end_user' | 'model' | 'document' | 'address';

  /** The first quarter of the period; see quarter.ts. */
  @PrimaryColumn('integer') quarter: number;

  /**
   * The environment of the key. It is part of the primary key, so that the index alone answers a report of
   * one environment.
   */
  @PrimaryColumn('varchar') environment: ApiKeyEnvironment;

  /** The key; empty for documents. */
  @PrimaryColumn('varchar') apiKeyId: string;
  @PrimaryColumn('varchar') member: string;

  /** The number of requests that it took part in. */
  @Column('integer') requests: number;

  /** The tokens of end users and models, as the model reports them or else estimated. */
  @Column('bigint', { default: 0 }) promptTokens: number;
  @Column('bigint', { default: 0 }) completionTokens: number;

  /** The cost in billionths, by the prices of that time. */
  @Column('bigint', { default: 0 }) cost: number;
}
