import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { instant } from '../database/dialect.js';

/** Who owned a knowledge base when it was deleted, and so may read its events as long as they are kept. */
@Entity('former_owners')
@Index(['deletedAt'])
export class FormerOwner {
  @PrimaryColumn('varchar')
  userId: string;

  @PrimaryColumn('varchar')
  kbId: string;

  /** When the knowledge base was. */
  @Column({ type: instant })
  deletedAt: Date;
}
