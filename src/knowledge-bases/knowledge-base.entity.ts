import { Column, Entity, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { instant } from '../platform/database/dialect.js';

/** Deactivated means deleted: nobody can access it, and KnowledgeBasePurge removes its rows. */
type KnowledgeBaseState = 'active' | 'deactivated';
/** The index of its passages: shared with others, its own, or between the two; see engine-place. */
export type SearchPlace = 'shared' | 'preparing' | 'to_own' | 'own' | 'to_shared';

@Entity('knowledge_bases')
@Index(['id', 'state'])
@Index(['createdBy', 'state'])
export class KnowledgeBase {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') name: string;
  @Column('varchar', { nullable: true }) description: string | null;
  @Column('varchar') state: KnowledgeBaseState;

  /** The user whose quota it counts towards, and in whose turn its documents are indexed. */
  @Column('varchar', { nullable: true }) createdBy: string | null;
  /** Increases with each change of rules and of the rules of documents; 0 if there never were any. */
  @Column('integer', { default: 0 }) accessVersion: number;
  /** Increases when an existing document gets another rule or other metadata. */
  @Column('integer', { default: 0 }) documentRulesVersion: number;
  /** Increases with each change of curated answers; 0 if there never were any. */
  @Column('integer', { default: 0 }) curatedVersion: number;
  /** The index of a search engine that contains its passages. */
  @Column('varchar', { default: 'shared' }) searchPlace: SearchPlace;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;

  @VirtualColumn({
    query: (alias) =>
      `SELECT COUNT(*) FROM documents WHERE kb_id = ${alias}.id AND state = 'active'`,
    transformer: { from: Number, to: Number },
  })
  documentCount: number;

  @VirtualColumn({
    query: (alias) =>
      `SELECT COALESCE(SUM(passage_count), 0) FROM documents WHERE kb_id = ${alias}.id AND state = 'active'`,
    transformer: { from: Number, to: Number },
  })
  passageCount: number;
}
