import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { HOUR_MS, Retained } from '../platform/jobs/retention.js';
import type { ApiKeyEnvironment } from '../knowledge-bases/key-environment.js';
import { PurgedInBatches } from '../knowledge-bases/declared-purges.js';
import { UNDER_LEGAL_HOLD } from '../knowledge-bases/settings/legal-hold.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { formatHistogram, type LatencyHistogram, parseHistograms } from './latency-histogram.js';

/** How long single requests are kept; quarters of an hour are kept for good. */
export const REQUESTS_KEPT_MS = 31 * 24 * HOUR_MS;

/**
 * The counts of a key: of one request, and of a quarter of an hour. Reports add up quarters, and read
 * single requests only where they begin or end within a quarter.
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

  /** `request` also counts a conversation that was begun. */
  @PrimaryColumn('varchar') period: 'request' | 'quarter';

  /** The time of the request, or the beginning of the quarter of an hour, in milliseconds since 1970. */
  @PrimaryColumn('bigint') atMs: number;

  /** The key may be deleted by now. */
  @PrimaryColumn('varchar') apiKeyId: string;

  /** The id of the query, the answering message or the conversation; empty for a quarter of an hour. */
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') environment: ApiKeyEnvironment;
  @Column('integer') queries: number;
  @Column('integer') chats: number;

  /** Conversations begun in that time. */
  @Column('integer') conversations: number;
  @Column('integer') answered: number;
  @Column('integer') unanswered: number;

  /** Messages that ask nothing. They do not count as chats. */
  @Column('integer') smallTalk: number;

  /** The ratings of answers given in that time, whenever they were rated. */
  @Column('integer') up: number;
  @Column('integer') down: number;
  @Column('bigint') promptTokens: number;
  @Column('bigint') completionTokens: number;

  /** Refused requests with an existing key; only in quarters. */
  @Column('integer') refused: number;

  /** Requests of every kind that the key opened; only in quarters. */
  @Column('integer') uses: number;

  /**
   * The histogram as text. A row for each bucket would be 14 times as many rows, too many to add up in the
   * 100 ms that a report may take.
   */
  @Column('text', { transformer: { from: parseHistograms, to: formatHistogram } })
  latencies: LatencyHistogram;
}
