import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant } from '../../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';

/** How long single records are kept; the roll-up stays. */
export const RECORDS_KEPT_MS = 31 * 24 * HOUR_MS;

/**
 * One answered request, or one conversation that was begun, without its end user and its text. Reports
 * read the records only where they begin or end within a quarter of an hour.
 */
@Entity('usage_records')
@Index(['kbId', 'createdAt'])
@Retained({
  groups: 'SELECT id AS "kbId" FROM knowledge_bases',
  condition: 'kb_id = :kbId AND created_at < :before',
  period: RECORDS_KEPT_MS,
})
export class UsageRecord {
  /** Of the query, the answering message or the conversation: nothing is recorded twice. */
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** It may be gone since. */
  @Column('varchar') apiKeyId: string;
  @Column('varchar') environment: ApiKeyEnvironment;
  @Column('varchar') kind: 'query' | 'chat' | 'conversation';

  /** Of a chat; null when the client disconnected before its end. */
  @Column('boolean', { nullable: true }) answered: boolean | null;

  /** Of a conversation, or of a chat from when it was counted with its first answer. */
  @Column('boolean') beganConversation: boolean;
  @Column('varchar', { nullable: true }) rating: 'up' | 'down' | null;
  @Column('bigint') promptTokens: number;
  @Column('bigint') completionTokens: number;
  @Column('integer') latencyMs: number;
  @Column({ type: instant }) createdAt: Date;
}
