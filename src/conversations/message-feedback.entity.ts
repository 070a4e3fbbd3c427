import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { instant } from '../database/dialect.js';
import { Message } from './message.entity.js';

/** An end user's rating of an answer. */
@Entity('message_feedback')
@Index(['kbId', 'rating', 'conversationId'])
export class MessageFeedback {
  @PrimaryColumn('varchar')
  messageId: string;

  @OneToOne(() => Message, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'message_id' })
  message: Relation<Message>;

  @Column('varchar')
  kbId: string;

  @Column('varchar')
  conversationId: string;

  @Column('varchar')
  rating: 'up' | 'down';

  @Column('text', { nullable: true })
  comment: string | null;

  @Column({ type: instant })
  ratedAt: Date;
}
