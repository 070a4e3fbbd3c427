import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';

/** How many answers of a day (UTC, counted from 1970) a document was a source of. */
@Entity('usage_documents', { withoutRowid: true })
export class UsageDocument {
  @PrimaryColumn('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  @PrimaryColumn('integer') day: number;
  @PrimaryColumn('varchar') environment: ApiKeyEnvironment;

  /** It may be gone since. */
  @PrimaryColumn('varchar') documentId: string;
  @Column('integer') answers: number;
}
