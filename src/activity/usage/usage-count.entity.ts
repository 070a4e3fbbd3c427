import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { PurgedInBatches } from '../../knowledge-bases/declared-purges.js';
import { UNDER_LEGAL_HOLD } from '../../knowledge-bases/settings/legal-hold.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { formatHistogram, type LatencyHistogram, parseHistograms } from './latency-histogram.js';

/** How long single requests are kept; quarters of an hour stay. */
export const REQUESTS_KEPT_MS = 31 * 24 * HOUR_MS;

/**
 * What was counted for a key: of one request, and of all of a quarter of an hour. Reports add up
 * quarters, and read single requests only where they begin or end within one.
 */
@Entity('usage_counts', { withoutRowid: true })
@Index(['apiKeyId', 'atMs'], { where: `period = 'quarter'` })
@PurgedInBatches()
@Retained({
  groups: `SELECT id AS "kbId" FROM knowledge_bases`,
  condition: `kb_id = :kbId AND period = 'request' AND at_ms < :before
    AND kb_id NOT IN (${UNDER_LEGAL_HOLD})`,
  parameters: (before) => ({ before: before.getTime() }),
  period: REQUESTS_KEPT_MS,
})
export class UsageCount {
  @PrimaryColumn('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** A conversation that was begun is a request, too. */
  @PrimaryColumn('varchar') period: 'request' | 'quarter';

  /** When the request was, or the quarter of an hour began: milliseconds from 1970. */
  @PrimaryColumn('bigint') atMs: number;

  /** It may be gone since. */
  @PrimaryColumn('varchar') apiKeyId: string;

  /** Of the query, the answering message or the conversation; empty for a quarter of an hour. */
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') environment: ApiKeyEnvironment;
  @Column('integer') queries: number;
  @Column('integer') chats: number;

  /** Begun in that time. */
  @Column('integer') conversations: number;
  @Column('integer') answered: number;
  @Column('integer') unanswered: number;

  /** Messages that ask nothing; no chats. */
  @Column('integer') smallTalk: number;

  /** Of answers given in that time, whenever they were rated. */
  @Column('integer') up: number;
  @Column('integer') down: number;
  @Column('bigint') promptTokens: number;
  @Column('bigint') completionTokens: number;

  /** Requests that were refused although the key was a real one; of quarters only. */
  @Column('integer') refused: number;

  /** Requests of every kind that the key opened; of quarters only. */
  @Column('integer') uses: number;

  /**
   * As text, because a row for each bucket would be 14 times as many rows: too many to add up in the
   * 100 ms that a report may take.
   */
  @Column('text', { transformer: { from: parseHistograms, to: formatHistogram } })
  latencies: LatencyHistogram;
}
