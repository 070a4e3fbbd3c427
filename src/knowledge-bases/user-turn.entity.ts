import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The place of a user in the order of a queue. */
@Entity('user_turns')
export class UserTurn {
  @PrimaryColumn('varchar') queue: string;
  @PrimaryColumn('varchar') userId: string;

  /** Milliseconds since 1970 by the database’s clock; the lowest comes first. */
  @Column('bigint') turn: number;

  /** The knowledge base of the user that was served last. */
  @Column('varchar') lastKbId: string;
}
