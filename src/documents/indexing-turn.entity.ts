import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The place of a user, or of a knowledge base, in the order of indexing. */
@Entity('indexing_turns')
export class IndexingTurn {
  /** `owner:` and a user id, or `kb:` and the id of a knowledge base. */
  @PrimaryColumn('varchar') id: string;

  /** Milliseconds since 1970 by the database’s clock; the lowest comes first. */
  @Column('bigint') turn: number;
}
