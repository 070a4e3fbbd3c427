import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../platform/database/belongs-to.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/** The size of a knowledge base, so that checking a quota need not count rows. */
@Entity('knowledge_base_sizes')
export class KnowledgeBaseSize {
  @PrimaryColumn('varchar') kbId: string;
  @Completes(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** Without deleted ones. */
  @Column('bigint') documents: number;

  /** Of their uploaded contents. */
  @Column('bigint') bytes: number;
}
