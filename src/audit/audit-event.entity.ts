import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Relation } from 'typeorm';
import { instant, json } from '../database/column-types.js';
import type { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

export type AuditAction =
  | 'knowledge_base.updated'
  | 'settings.updated'
  | 'member.added'
  | 'member.role_changed'
  | 'member.removed'
  | 'api_key.created'
  | 'api_key.reissued'
  | 'api_key.updated'
  | 'api_key.revoked'
  | 'api_key.rotated'
  | 'api_key.deleted'
  | 'api_key.reported_as_leaked'
  | 'document.added'
  | 'document.replaced'
  | 'document.updated'
  | 'document.reindexed'
  | 'document.deleted'
  | 'knowledge_base.reindexed'
  | 'conversation.deleted'
  | 'conversations.erased';

@Entity('audit_events')
@Index(['kbId', 'id'])
export class AuditEvent {
  @PrimaryColumn('varchar')
  id: string;

  @Column('varchar')
  kbId: string;

  // By name: the room above is not imported.
  @ManyToOne('KnowledgeBase', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'kb_id' })
  knowledgeBase: Relation<KnowledgeBase>;

  /** A dashboard user's id, or what else acted. */
  @Column('varchar')
  actor: string;

  @Column('varchar')
  action: AuditAction;

  @Column('varchar')
  targetId: string;

  @Column({ type: instant })
  createdAt: Date;

  @Column('varchar')
  requestId: string;

  @Column({ type: json })
  details: object;
}
