import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Relation } from 'typeorm';
import { instant } from '../database/column-types.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import type { ApiKeyEnvironment } from './secret.js';

/** There is no way back from deactivated. */
export type ApiKeyState = 'active' | 'deactivated';

@Entity('api_keys')
@Index(['kbId'])
@Index(['fastHash'], { unique: true })
@Index(['prefix'], { unique: true })
export class ApiKey {
  @PrimaryColumn('varchar')
  id: string;

  @Column('varchar')
  kbId: string;

  @ManyToOne(() => KnowledgeBase, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'kb_id' })
  knowledgeBase: Relation<KnowledgeBase>;

  @Column('varchar')
  name: string;

  @Column('varchar', { nullable: true })
  description: string | null;

  @Column('varchar')
  environment: ApiKeyEnvironment;

  /** `rag_<environment>_` and the lookup id; not secret. */
  @Column('varchar')
  prefix: string;

  /** bcrypt: proves the key even when every pepper is lost. */
  @Column('varchar')
  secretHash: string;

  /** HMAC-SHA-256 under the pepper `pepperId`: what a request is looked up by. */
  @Column('varchar')
  fastHash: string;

  @Column('varchar')
  pepperId: string;

  @Column('varchar')
  state: ApiKeyState;

  @Column({ type: instant })
  createdAt: Date;

  @Column('varchar')
  createdBy: string;

  @Column({ type: instant, nullable: true })
  expiresAt: Date | null;

  @Column({ type: instant, nullable: true })
  revokedAt: Date | null;

  @Column('varchar', { nullable: true })
  revokedBy: string | null;

  @Column({ type: instant, nullable: true })
  lastUsedAt: Date | null;
}
