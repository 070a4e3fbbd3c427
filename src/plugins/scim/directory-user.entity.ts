import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import type { ServiceAccount } from '../service-accounts/service-account.entity.js';

/** The attributes of a person that are kept as they were sent. */
export type Profile = object;

/** A person pushed by an identity provider, with the keys of a service account. */
@Entity('directory_users')
@Index(['serviceAccountId', 'userName'], { unique: true })
@Index(['serviceAccountId', 'comparedName'])
@Index(['userId'])
export class DirectoryUser {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') serviceAccountId: string;
  @BelongsTo('ServiceAccount', 'service_account_id') serviceAccount: Relation<ServiceAccount>;
  /** The name as it was sent. */
  @Column('varchar') userName: string;
  /** The name in the form in which it is compared; null in rows of earlier versions. */
  @Column('varchar', { nullable: true }) comparedName: string | null;
  @Column('varchar', { nullable: true }) externalId: string | null;

  /** The id in X-Idp-User-Id and in `end_user_id` of client tokens, in the form in which it is compared. */
  @Column('varchar') userId: string;

  /** False for a deprovisioned person, who has no access to what the service account owns. */
  @Column('boolean') active: boolean;
  @Column({ type: json }) profile: Profile;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;

  /** The row of a deleted person stays, so that they stay deprovisioned. */
  @Column({ type: instant, nullable: true }) removedAt: Date | null;
}
