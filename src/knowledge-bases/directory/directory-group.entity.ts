import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant } from '../../platform/database/dialect.js';

/** A group that an identity provider has pushed. */
@Entity('directory_groups')
@Index(['serviceAccountId', 'principal'], { unique: true })
export class DirectoryGroup {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') serviceAccountId: string;
  @Column('varchar') displayName: string;

  /** As members and rules name it. */
  @Column('varchar') principal: string;
  @Column('varchar', { nullable: true }) externalId: string | null;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;
}
