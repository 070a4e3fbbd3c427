import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import type { ServiceAccount } from '../service-accounts/service-account.entity.js';

/** What of a person is kept as it was sent. */
export type Profile = object;

/** A person whom an identity provider has pushed, by the keys of a service account. */
@Entity('directory_users')
@Index(['serviceAccountId', 'userName'], { unique: true })
@Index(['serviceAccountId', 'comparedName'])
@Index(['userId'])
@Index(['updatedAt', 'id'])
export class DirectoryUser {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') serviceAccountId: string;
  @BelongsTo('ServiceAccount', 'service_account_id') serviceAccount: Relation<ServiceAccount>;
  /** As it was sent. */
  @Column('varchar') userName: string;
  /** As it is compared; null in rows of versions before it. */
  @Column('varchar', { nullable: true }) comparedName: string | null;
  @Column('varchar', { nullable: true }) externalId: string | null;

  /** As in X-Idp-User-Id, and `end_user_id` of client tokens, as it is compared. */
  @Column('varchar') userId: string;

  /** False for who has left: what the service account owns is closed to them. */
  @Column('boolean') active: boolean;
  @Column({ type: json }) profile: Profile;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;

  /** The row of a deleted one stays, so that they stay outside. */
  @Column({ type: instant, nullable: true }) removedAt: Date | null;
}
