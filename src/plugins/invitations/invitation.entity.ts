import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import type { MemberRole } from '../../knowledge-bases/knowledge-base-member.entity.js';
import type { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';

/** A link with which people become members of a knowledge base. */
@Entity('invitations')
@Index(['kbId'])
@Index(['expiresAt'])
@Index(['tokenHash'], { unique: true })
@Retained({ condition: 'expires_at < :before', period: 30 * 24 * HOUR_MS })
export class Invitation {
  @PrimaryColumn('varchar') id: string;

  @Column('varchar') kbId: string;
  @BelongsTo('KnowledgeBase', 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  @Column('varchar') role: MemberRole;

  /** The SHA-256 of what the link has after `#`. */
  @Column('varchar') tokenHash: string;

  /** How many people may accept it, and how many have. */
  @Column('integer') maxUses: number;
  @Column('integer') uses: number;

  /** Who made it, with the groups that they had then: it ends when they own the knowledge base no more. */
  @Column('varchar') makerId: string;
  @Column({ type: json }) makerGroups: string[];
  /** The name of the maker, as it is shown. */
  @Column('varchar') createdBy: string;

  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) expiresAt: Date;
  @Column({ type: instant, nullable: true }) withdrawnAt: Date | null;
}
