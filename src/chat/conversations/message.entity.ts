import { Column, Entity, Index, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { Conversation } from './conversation.entity.js';
import type { MessageFeedback } from './message-feedback.entity.js';
import type { SourceDto, StoredSource } from './source.dto.js';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';

export type MessageStatus = 'complete' | 'aborted' | 'failed';

/** Why a model stopped: at its end, at its token limit, or because its provider filtered it. */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'other';

/** Of an answer to a message that asks nothing, such as a greeting. */
export type AnswerKind = 'smalltalk';

@Entity('messages')
@Index(['conversationId', 'id'])
export class Message {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') conversationId: string;
  @BelongsTo(() => Conversation, 'conversation_id') conversation: Relation<Conversation>;

  @Column('varchar') role: 'user' | 'assistant';
  @Column('text') content: string;

  /** An answer is `failed` until it is complete, so that a crash leaves nothing to repair. */
  @Column('varchar') status: MessageStatus;

  /** Null for questions. */
  @Column('boolean', { nullable: true }) answered: boolean | null;

  /** As the answer gave them; the documents may have changed since. */
  @Column({ type: json }) sources: StoredSource[];

  /** Passages that may help; null for a message that is no refusal. */
  @Column({ type: json, nullable: true }) related: SourceDto[] | null;

  /**
   * The curated answer, or the documents of earlier answers that the model was told of, and of those that theirs
   * were, or those whose titles a greeting names; else null.
   */
  @Column({ type: json, nullable: true }) toldDocumentIds: string[] | null;

  /** Null for an answer to a question. */
  @Column('varchar', { nullable: true }) kind: AnswerKind | null;

  /** Whether its numbers, names and quotations are in what it cites; null without a model. */
  @Column('boolean', { nullable: true }) grounded: boolean | null;

  /** Of an answer. This column and the following ones are null in rows that are older than they. */
  @Column('varchar', { nullable: true }) finishReason: FinishReason | null;

  /** The model that answered, or `extractive`. */
  @Column('varchar', { nullable: true }) model: string | null;

  /** Null where the model reported none. */
  @Column('integer', { nullable: true }) promptTokens: number | null;
  @Column('integer', { nullable: true }) completionTokens: number | null;

  /** How long an answer took; null while it is being given, and when its process died meanwhile. */
  @Column('integer', { nullable: true }) latencyMs: number | null;

  /** The key that asked. */
  @Column('varchar', { nullable: true }) apiKeyId: string | null;
  @Column('varchar', { nullable: true }) environment: ApiKeyEnvironment | null;

  /** Of the filter that the key was restricted to; null for none. */
  @Column('varchar', { nullable: true }) filterHash: string | null;
  @OneToOne('MessageFeedback', 'message') feedback: Relation<MessageFeedback> | null;
  @Column({ type: instant }) createdAt: Date;
}
