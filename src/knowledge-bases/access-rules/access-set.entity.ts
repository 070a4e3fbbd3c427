import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import { UNDER_LEGAL_HOLD } from '../settings/legal-hold.js';
import { KnowledgeBase } from '../knowledge-base.entity.js';

/** Who may read a document: everybody who is allowed and not denied. */
export interface AccessRule {
  readonly allow: string[];
  readonly deny: string[];
}

/** A rule of single documents is deleted when no document has had it for this long. */
export const UNUSED_SET_MS = 24 * HOUR_MS;

/**
 * A rule that documents refer to. Its entries are also in `access_entries`, where queries find them; both
 * are written together. A set without a name is shared by documents that were given the same rule
 * individually. Documents refer to it without a foreign key: if it were missing, nobody could read them.
 */
@Entity('access_sets')
@Index(['kbId', 'id'])
@Index(['kbId', 'hash'], { unique: true })
@Retained({
  condition: `name IS NULL AND updated_at < :before AND NOT EXISTS (
    SELECT 1 FROM documents d WHERE d.access_set_id = access_sets.id AND d.state <> 'deactivated')
    AND NOT EXISTS (SELECT 1 FROM curated_answers c WHERE c.access_set_id = access_sets.id)
    AND NOT EXISTS (SELECT 1 FROM kept_rules k WHERE k.access_set_id = access_sets.id)
    AND kb_id NOT IN (${UNDER_LEGAL_HOLD})`,
  period: UNUSED_SET_MS,
})
export class AccessSet {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** Null for a rule of single documents. */
  @Column('varchar', { nullable: true }) name: string | null;

  /** The hash of a rule of single documents, by which equal ones are found. */
  @Column('varchar', { nullable: true }) hash: string | null;
  @Column({ type: json }) rule: AccessRule;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;
}
