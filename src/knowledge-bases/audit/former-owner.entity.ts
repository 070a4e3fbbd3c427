import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant } from '../../platform/database/dialect.js';

/** An owner of a deleted knowledge base, who may read its events as long as they are kept. */
@Entity('former_owners')
@Index(['deletedAt'])
export class FormerOwner {
  @PrimaryColumn('varchar') userId: string;
  @PrimaryColumn('varchar') kbId: string;

  /** When the knowledge base was deleted. */
  @Column({ type: instant }) deletedAt: Date;
}
