import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { UNDER_LEGAL_HOLD } from '../knowledge-bases/settings/legal-hold.js';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { instant } from '../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../platform/jobs/retention.js';

/**
 * A rule that somebody set on a document which was deleted since, which is gone at its source, or whose source
 * says something else for now. The document has it again when it comes back.
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
  /** The source of the document, else its knowledge base. */
  @PrimaryColumn('varchar') ownerId: string;

  /** SHA-256 of what names the document there: its key at the source, else its external id. */
  @PrimaryColumn('varchar') key: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** Of the content, by which a document is found that was moved. */
  @Column('varchar') sha256: string;
  @Column('varchar') accessSetId: string;

  /** SHA-256 of what the source said at that time about who may read the document; null for nothing. */
  @Column('varchar', { nullable: true }) sourceRule: string | null;
  @Column({ type: instant }) createdAt: Date;
}
