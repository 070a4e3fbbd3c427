import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { instant } from '../platform/database/dialect.js';
import { KnowledgeBase } from './knowledge-base.entity.js';

/** The roles, from the lowest to the highest. */
export const MEMBER_ROLES = ['viewer', 'member', 'owner'] as const;

/**
 * Viewers read; members also change the contents of the knowledge base; owners also change members and
 * delete the knowledge base.
 */
export type MemberRole = (typeof MEMBER_ROLES)[number];

@Entity('knowledge_base_members')
@Index(['kbId', 'userId'], { unique: true })
@Index(['userId'])
export class KnowledgeBaseMember {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** The id in the form in which it is compared; see `comparedMemberId`. */
  @Column('varchar') userId: string;
  /** The id as it was first written; null if that is the same. */
  @Column('varchar', { nullable: true }) writtenId: string | null;
  @Column('varchar') role: MemberRole;
  @Column({ type: instant }) createdAt: Date;
}
