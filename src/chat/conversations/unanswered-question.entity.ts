import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../../platform/database/belongs-to.js';
import { instant } from '../../platform/database/dialect.js';
import { Message } from './message.entity.js';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';

/** A question that the documents had no answer to. It is deleted with the message that asked it. */
@Entity('unanswered_questions')
@Index(['kbId', 'askedAt', 'environment', 'topic', 'messageId', 'answeredAt'])
@Index(['kbId', 'conversationId'])
export class UnansweredQuestion {
  @PrimaryColumn('varchar') messageId: string;
  @Completes(() => Message, 'message_id') message: Relation<Message>;

  @Column('varchar') kbId: string;
  @Column('varchar') conversationId: string;
  @Column('varchar') environment: ApiKeyEnvironment;

  /** The same for questions of the same words; see question-topic.ts. */
  @Column('bigint') topic: number;
  @Column({ type: instant }) askedAt: Date;

  /** When somebody asked it again and it was answered, last; see docs/decisions/gaps.md. */
  @Column({ type: instant, nullable: true }) answeredAt: Date | null;
}
