import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Relation } from 'typeorm';
import { instant, json } from '../database/column-types.js';
import { Conversation } from './conversation.entity.js';
import type { SourceDto } from './source.dto.js';

@Entity('messages')
@Index(['conversationId'])
export class Message {
  @PrimaryColumn('varchar')
  id: string;

  @Column('varchar')
  conversationId: string;

  @ManyToOne(() => Conversation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'conversation_id' })
  conversation: Relation<Conversation>;

  @Column('varchar')
  role: 'user' | 'assistant';

  @Column('text')
  content: string;

  @Column('varchar')
  status: 'complete' | 'aborted' | 'failed';

  /** Null for questions. */
  @Column('boolean', { nullable: true })
  answered: boolean | null;

  /** As the answer gave them; the documents may have changed since. */
  @Column({ type: json })
  sources: SourceDto[];

  @Column({ type: instant })
  createdAt: Date;
}
