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

  /** What it opens; null for a key of a service account. */
  @Column('varchar', { nullable: true }) kbId: string | null;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase> | null;

  /** For which it opens the dashboard; null for a partner's key. */
  @Column('varchar', { nullable: true }) serviceAccountId: string | null;
  @BelongsTo('ServiceAccount', 'service_account_id')
  serviceAccount: Relation<ServiceAccount> | null;

  @Column('varchar') name: string;
  @Column('varchar', { nullable: true }) description: string | null;
  @Column('varchar') environment: KeyKind;

  /** `rag_<kind>_` and the lookup id; not secret. */
  @Column('varchar') prefix: string;

  /** bcrypt, which proves the key even when every pepper is lost. */
  @Column('varchar') secretHash: string;

  /** HMAC-SHA-256 of the secret under the pepper `pepperId`; requests find the key by it. */
  @Column('varchar') fastHash: string;
  @Column('varchar') pepperId: string;
  @Column('varchar') state: ApiKeyState;
  @Column({ type: instant }) createdAt: Date;
  @Column('varchar') createdBy: string;
  @Column({ type: instant, nullable: true }) expiresAt: Date | null;
  @Column({ type: instant, nullable: true }) revokedAt: Date | null;
  @Column('varchar', { nullable: true }) revokedBy: string | null;

  /**
   * The row of a deleted key stays, so that later use can be recognized and counted; TypeORM leaves
   * it out of every find.
   */
  @DeleteDateColumn({ type: instant, nullable: true }) deletedAt: Date | null;

  /** Written at once with the first use, so null proves that the key was never used. */
  @Column({ type: instant, nullable: true }) firstUsedAt: Date | null;

  /** Null means the knowledge base's limit. */
  @Column('integer', { nullable: true }) rateLimitPerMinute: number | null;

  /** In the name of one end user. Null means the knowledge base's limit. */
  @Column('integer', { nullable: true }) rateLimitPerEndUser: number | null;

  /** What its line of successors may use together; null means any amount. */
  @Column({ type: json, nullable: true }) budget: Budget | null;

  /** Addresses and CIDR ranges; null means any. */
  @Column({ type: json, nullable: true }) allowedIps: string[] | null;

  @Column('simple-array', { default: DEFAULT_SCOPES.join(',') })
  scopes: (ApiKeyScope | ManagementScope)[];

  /** The documents that it opens; null means all of the knowledge base. */
  @Column({ type: json, nullable: true }) filter: MetadataFilter | null;

  /** In whose name it reads documents that have rules, beside `everyone`; null for nobody. */
  @Column({ type: json, nullable: true }) principals: string[] | null;

  @Column('varchar', { nullable: true }) rotatedFrom: string | null;

  @Column('varchar', { nullable: true }) rotatedTo: string | null;

  /** The first key of the line of successors, which share one rate limit. */
  @Column('varchar') rotationRoot: string;

  @OneToOne('ApiKeyActivity', 'apiKey')
  activity: Relation<ApiKeyActivity> | null;
}
