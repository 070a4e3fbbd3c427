import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant } from '../../platform/database/dialect.js';
import type { ServiceAccount } from '../service-accounts/service-account.entity.js';

/** A group that an identity provider has pushed. */
@Entity('directory_groups')
@Index(['serviceAccountId', 'principal'], { unique: true })
export class DirectoryGroup {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') serviceAccountId: string;
  @BelongsTo('ServiceAccount', 'service_account_id') serviceAccount: Relation<ServiceAccount>;
  @Column('varchar') displayName: string;

  /** The name that members and rules use. */
  @Column('varchar') principal: string;
  @Column('varchar', { nullable: true }) externalId: string | null;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;
}
