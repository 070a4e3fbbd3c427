import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { AccessSet } from './access-set.entity.js';

/** One entry of a rule. */
@Entity('access_entries')
@Index(['kbId', 'principal'])
export class AccessEntry {
  @PrimaryColumn('varchar') setId: string;
  @BelongsTo(() => AccessSet, 'set_id') accessSet: Relation<AccessSet>;
  @PrimaryColumn('varchar') effect: 'allow' | 'deny';

  /** `everyone`, `user:<id>` or `group:<name>`, in the form in which principals are compared. */
  @PrimaryColumn('varchar') principal: string;
  @Column('varchar') kbId: string;
}
