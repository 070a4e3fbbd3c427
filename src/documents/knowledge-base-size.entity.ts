import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/** How much a knowledge base holds, kept so that no quota has to count it. */
@Entity('knowledge_base_sizes')
export class KnowledgeBaseSize {
  @PrimaryColumn('varchar')
  kbId: string;

  @OneToOne(() => KnowledgeBase, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'kb_id' })
  knowledgeBase: Relation<KnowledgeBase>;

  /** That are not deleted. */
  @Column('bigint')
  documents: number;

  /** Of their contents as they came in. */
  @Column('bigint')
  bytes: number;
}
