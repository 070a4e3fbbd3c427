import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { binary, instant, json } from '../../platform/database/dialect.js';
import type { AccessSet } from '../../knowledge-bases/access-rules/access-set.entity.js';
import { PurgedInBatches } from '../../knowledge-bases/declared-purges.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';

/** An answer that a person has written for recurring questions. */
@Entity('curated_answers')
@Index(['kbId', 'id'])
@Index(['accessSetId'])
@Index(['model'])
@PurgedInBatches()
export class CuratedAnswer {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;
  @Column({ type: json }) questions: string[];
  @Column('text') answer: string;

  /** The documents that it names. They may have been deleted since. */
  @Column({ type: json }) sourceIds: string[];

  /** Who may read it; null for the default of the knowledge base. See AccessSet. */
  @Column('varchar', { nullable: true }) accessSetId: string | null;
  /** The set of `accessSetId`; undefined if it was not read. */
  accessSet?: AccessSet | null;

  /** When the answer should be reviewed. */
  @Column({ type: instant, nullable: true }) reviewAt: Date | null;

  /** The user who wrote it. */
  @Column('varchar') owner: string;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;

  /** When its questions or its text were last changed. */
  @Column({ type: instant }) writtenAt: Date;

  /** The embeddings model that was asked for `vectors`; null if none was asked yet. */
  @Column('varchar', { nullable: true }) model: string | null;

  /** The vectors of all questions, one after the other, as 32-bit floats; null if the model made none. */
  @Column({ type: binary, nullable: true, select: false }) vectors: Buffer | null;
}
