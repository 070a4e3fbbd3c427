import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The place of a user in the order of indexing. */
@Entity('indexing_turns')
export class IndexingTurn {
  /** `owner:` and a user id. */
  @PrimaryColumn('varchar') id: string;

  /** Milliseconds since 1970 by the database’s clock; the lowest comes first. */
  @Column('bigint') turn: number;

  /** The knowledge base of the user that was served last. */
  @Column('varchar', { nullable: true }) lastKbId: string | null;
}
