import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../../platform/database/belongs-to.js';
import { instant } from '../../platform/database/dialect.js';
import { Message } from './message.entity.js';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';

/** A question that the documents did not answer. It is deleted with its message. */
@Entity('unanswered_questions')
@Index(['kbId', 'askedAt', 'environment', 'topic', 'messageId', 'answeredAt'])
@Index(['kbId', 'conversationId'])
export class UnansweredQuestion {
  @PrimaryColumn('varchar') messageId: string;
  @Completes(() => Message, 'message_id') message: Relation<Message>;

  @Column('varchar') kbId: string;
  @Column('varchar') conversationId: string;
  @Column('varchar') environment: ApiKeyEnvironment;

  /** A number that questions with the same words share; see question-topic.ts. */
  @Column('bigint') topic: number;
  @Column({ type: instant }) askedAt: Date;

  /** When the question was last asked again and answered; see docs/decisions/gaps.md. */
  @Column({ type: instant, nullable: true }) answeredAt: Date | null;
}
