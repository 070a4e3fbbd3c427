import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';

@Entity('conversations')
@Index(['kbId'])
@Index(['kbId', 'id'])
@Index(['kbId', 'endUserId', 'id'])
@Index(['kbId', 'comparedEndUserId', 'id'])
@Index(['kbId', 'apiKeyId', 'id'])
@Index(['kbId', 'createdAt'])
@Index(['kbId', 'updatedAt'])
export class Conversation {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** The key that began the conversation. It may be deleted by now. */
  @Column('varchar') apiKeyId: string;
  @Column('varchar') environment: ApiKeyEnvironment;

  /** The end user named by the partner's backend. It groups conversations and grants nothing. */
  @Column('varchar', { nullable: true }) endUserId: string | null;
  /** The name in the form in which it is compared; null in rows of earlier versions. */
  @Column('varchar', { nullable: true }) comparedEndUserId: string | null;
  /** The knowledge bases that its first question named, which later questions are put to; null for none. */
  @Column({ type: json, nullable: true }) kbIds: readonly string[] | null;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;
}
