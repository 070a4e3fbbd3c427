import {
  Column,
  DeleteDateColumn,
  Entity,
  Index,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { instant, json } from '../platform/database/dialect.js';
import type { Budget } from '../knowledge-bases/budgets/budget.js';
import type { KeyKind } from '../knowledge-bases/key-environment.js';
import type { ManagementScope } from '../knowledge-bases/management-scope.js';
import type { ApiKeyActivity } from './api-key-activity.entity.js';
import type { ApiKeyGrant } from './api-key-grant.entity.js';

/** See API_KEY_TRANSITIONS. */
export type ApiKeyState = 'active' | 'deactivated';

export type ApiKeyOwnerType = 'knowledge_base' | 'service_account';

@Entity('api_keys')
@Index(['ownerId'])
@Index(['expiresAt'])
@Index(['fastHash'], { unique: true })
@Index(['prefix'], { unique: true })
export class ApiKey {
  @PrimaryColumn('varchar') id: string;

  /**
   * Who manages the key: a knowledge base, whose settings and limits apply, or a service account, which uses
   * the key on the dashboard's API. OwnedApiKeys deletes the key with its owner.
   */
  @Column('varchar') ownerType: ApiKeyOwnerType;
  @Column('varchar') ownerId: string;

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

  /**
   * The operations that a key of a service account may call, in every knowledge base of the account; null for
   * other keys, which have grants.
   */
  @Column('simple-array', { nullable: true }) managementScopes: ManagementScope[] | null;

  /** The principals whose documents the key may read, besides `everyone`; null for none. */
  @Column({ type: json, nullable: true }) principals: string[] | null;

  /**
   * How long the key still works after it has rotated itself, in seconds; null if only members may rotate it.
   */
  @Column('integer', { nullable: true }) selfRotationGraceSeconds: number | null;

  /** The thumbprint (RFC 7638) of the key that each request has to prove; null if none. */
  @Column('varchar', { nullable: true }) dpopJkt: string | null;

  @Column('varchar', { nullable: true }) rotatedFrom: string | null;

  @Column('varchar', { nullable: true }) rotatedTo: string | null;

  /** The first key of the rotation line, whose keys share one rate limit. */
  @Column('varchar') rotationRoot: string;

  @OneToMany('ApiKeyGrant', 'key')
  grants: Relation<ApiKeyGrant[]>;

  @OneToOne('ApiKeyActivity', 'apiKey')
  activity: Relation<ApiKeyActivity> | null;
}
