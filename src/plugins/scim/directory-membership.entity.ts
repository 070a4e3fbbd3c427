import { Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { DirectoryGroup } from './directory-group.entity.js';
import { DirectoryUser } from './directory-user.entity.js';

/** A person in a group. */
@Entity('directory_memberships')
@Index(['userId'])
export class DirectoryMembership {
  @PrimaryColumn('varchar') groupId: string;
  @BelongsTo(() => DirectoryGroup, 'group_id') group: Relation<DirectoryGroup>;
  @PrimaryColumn('varchar') userId: string;
  @BelongsTo(() => DirectoryUser, 'user_id') user: Relation<DirectoryUser>;
}
