import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { UNDER_LEGAL_HOLD } from '../knowledge-bases/settings/legal-hold.js';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { instant } from '../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../platform/jobs/retention.js';

/**
 * An access rule set by a user on a document that has been deleted, is gone from its source, or whose
 * source currently has another rule. The document gets it back when it returns.
 */
@Entity('kept_rules')
@Index(['ownerId', 'sha256'])
@Index(['kbId'])
@Index(['accessSetId'])
@Index(['createdAt'])
@Retained({
  condition: `created_at < :before AND kb_id NOT IN (${UNDER_LEGAL_HOLD})`,
  period: 365 * 24 * HOUR_MS,
})
export class KeptRule {
  /** The source of the document, or else its knowledge base. */
  @PrimaryColumn('varchar') ownerId: string;

  /** SHA-256 of the document's key at the source, or else of its external id. */
  @PrimaryColumn('varchar') key: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** SHA-256 of the content; identifies a document that was moved within its source. */
  @Column('varchar') sha256: string;
  @Column('varchar') accessSetId: string;

  /** SHA-256 of the source's own access rule at that time; null if it had none. */
  @Column('varchar', { nullable: true }) sourceRule: string | null;
  @Column({ type: instant }) createdAt: Date;
}
