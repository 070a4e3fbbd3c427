import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { binary, instant, json } from '../../platform/database/dialect.js';
import type { AccessSet } from '../../knowledge-bases/access-rules/access-set.entity.js';
import { PurgedInBatches } from '../../knowledge-bases/declared-purges.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';

/** An answer that somebody has written for questions that come again. */
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

  /** The documents that it names; they may have been deleted since. */
  @Column({ type: json }) sourceIds: string[];

  /** Who may read it; null for the default of the knowledge base. See AccessSet. */
  @Column('varchar', { nullable: true }) accessSetId: string | null;
  /** Of `accessSetId`; undefined unless it was read too. */
  accessSet?: AccessSet | null;

  /** When somebody should look whether it is still right. */
  @Column({ type: instant, nullable: true }) reviewAt: Date | null;

  /** The user who wrote it. */
  @Column('varchar') owner: string;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;

  /** When its questions or its text were last changed. */
  @Column({ type: instant }) writtenAt: Date;

  /** The embeddings model that was asked for `vectors`; null until one was. */
  @Column('varchar', { nullable: true }) model: string | null;

  /** Of each question, one after the other, as 32-bit floats; null where the model made none. */
  @Column({ type: binary, nullable: true, select: false }) vectors: Buffer | null;
}
