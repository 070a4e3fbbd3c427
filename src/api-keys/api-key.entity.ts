import {
  Column,
  DeleteDateColumn,
  Entity,
  Index,
  OneToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { instant, json } from '../platform/database/dialect.js';
import type { Budget } from '../knowledge-bases/budgets/budget.js';
import type { KeyKind } from '../knowledge-bases/key-environment.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import type { ManagementScope } from '../knowledge-bases/management-scope.js';
import type { ServiceAccount } from '../knowledge-bases/service-accounts/service-account.entity.js';
import type { ApiKeyActivity } from './api-key-activity.entity.js';
import { type ApiKeyScope, DEFAULT_SCOPES } from './scope.js';

/** See API_KEY_TRANSITIONS. */
export type ApiKeyState = 'active' | 'deactivated';

@Entity('api_keys')
@Index(['kbId'])
@Index(['serviceAccountId'])
@Index(['expiresAt'])
@Index(['fastHash'], { unique: true })
@Index(['prefix'], { unique: true })
export class ApiKey {
  @PrimaryColumn('varchar') id: string;

  /** The main knowledge base; null for a key of a service account. */
  @Column('varchar', { nullable: true }) kbId: string | null;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase> | null;

  /** The service account that uses the key on the dashboard's API; null for a partner's key. */
  @Column('varchar', { nullable: true }) serviceAccountId: string | null;
  @BelongsTo('ServiceAccount', 'service_account_id')
  serviceAccount: Relation<ServiceAccount> | null;

  @Column('varchar') name: string;
  @Column('varchar', { nullable: true }) description: string | null;
  @Column('varchar') environment: KeyKind;

  /** `rag_<kind>_` and the lookup id; not secret. */
  @Column('varchar') prefix: string;

  /** The bcrypt hash, by which a key can be verified even if every pepper is lost. */
  @Column('varchar') secretHash: string;

  /** The HMAC-SHA-256 of the secret under the pepper `pepperId`. Requests find the key by it. */
  @Column('varchar') fastHash: string;
  @Column('varchar') pepperId: string;
  @Column('varchar') state: ApiKeyState;
  @Column({ type: instant }) createdAt: Date;
  @Column('varchar') createdBy: string;
  @Column({ type: instant, nullable: true }) expiresAt: Date | null;
  @Column({ type: instant, nullable: true }) revokedAt: Date | null;
  @Column('varchar', { nullable: true }) revokedBy: string | null;

  /**
   * The row of a deleted key stays, so that later uses can be recognized and counted. TypeORM leaves it out
   * of every find.
   */
  @DeleteDateColumn({ type: instant, nullable: true }) deletedAt: Date | null;

  /** The first use is written at once, so null proves that the key was never used. */
  @Column({ type: instant, nullable: true }) firstUsedAt: Date | null;

  /** Null if the knowledge base's limit applies. */
  @Column('integer', { nullable: true }) rateLimitPerMinute: number | null;

  /** The limit for one end user; null if the knowledge base's limit applies. */
  @Column('integer', { nullable: true }) rateLimitPerEndUser: number | null;

  /** The budget that the keys of the rotation line share; null for no budget. */
  @Column({ type: json, nullable: true }) budget: Budget | null;

  /** Addresses and CIDR ranges; null for any. */
  @Column({ type: json, nullable: true }) allowedIps: string[] | null;

  @Column('simple-array', { default: DEFAULT_SCOPES.join(',') })
  scopes: (ApiKeyScope | ManagementScope)[];

  /** Restricts the key to these documents; null for all of the knowledge base. */
  @Column({ type: json, nullable: true }) filter: MetadataFilter | null;

  /** The principals whose documents the key may read, besides `everyone`; null for none. */
  @Column({ type: json, nullable: true }) principals: string[] | null;

  @Column('varchar', { nullable: true }) rotatedFrom: string | null;

  @Column('varchar', { nullable: true }) rotatedTo: string | null;

  /** The first key of the rotation line, whose keys share one rate limit. */
  @Column('varchar') rotationRoot: string;

  @OneToOne('ApiKeyActivity', 'apiKey')
  activity: Relation<ApiKeyActivity> | null;
}
