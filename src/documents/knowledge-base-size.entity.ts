import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../platform/database/belongs-to.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/** The size of a knowledge base, kept so that checking a quota need not count rows. */
@Entity('knowledge_base_sizes')
export class KnowledgeBaseSize {
  @PrimaryColumn('varchar') kbId: string;
  @Completes(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** The number of documents, without deleted ones. */
  @Column('bigint') documents: number;

  /** The total size of the uploaded contents. */
  @Column('bigint') bytes: number;
}
