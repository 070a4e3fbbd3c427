import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/** How many answers of a day (UTC, counted from 1970) a document was a source of. */
@Entity('usage_documents', { withoutRowid: true })
export class UsageDocument {
  @PrimaryColumn('varchar')
  kbId: string;

  @ManyToOne(() => KnowledgeBase, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'kb_id' })
  knowledgeBase: Relation<KnowledgeBase>;

  @PrimaryColumn('integer')
  day: number;

  @PrimaryColumn('varchar')
  environment: 'live' | 'test';

  /** It may be gone since. */
  @PrimaryColumn('varchar')
  documentId: string;

  @Column('integer')
  answers: number;
}
