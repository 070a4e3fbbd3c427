import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../../platform/database/belongs-to.js';
import { instant } from '../../platform/database/dialect.js';
import { Message } from './message.entity.js';

@Entity('message_feedback')
@Index(['kbId', 'rating', 'conversationId'])
export class MessageFeedback {
  @PrimaryColumn('varchar') messageId: string;
  @Completes(() => Message, 'message_id') message: Relation<Message>;

  @Column('varchar') kbId: string;
  @Column('varchar') conversationId: string;
  @Column('varchar') rating: 'up' | 'down';
  @Column('text', { nullable: true }) comment: string | null;
  @Column({ type: instant }) ratedAt: Date;
}
