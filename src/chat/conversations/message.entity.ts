import { Column, Entity, Index, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { Conversation } from './conversation.entity.js';
import type { MessageFeedback } from './message-feedback.entity.js';
import type { SourceDto, StoredSource } from './source.dto.js';
import type { StoredTrace } from './stored-trace.js';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';

export type MessageStatus = 'complete' | 'aborted' | 'failed';

/** Why a model stopped: at its end, at its token limit, or because its provider filtered the text. */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'other';

/** An answer to a message that asks nothing, such as a greeting, or one from the list of documents. */
export type AnswerKind = 'smalltalk' | 'list';

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

  /** The sources as the answer gave them. The documents may have changed since. */
  @Column({ type: json }) sources: StoredSource[];

  /** Passages that may help; null for a message that is not a refusal. */
  @Column({ type: json, nullable: true }) related: SourceDto[] | null;

  /**
   * The documents that the text may come from besides the sources: the curated answer; the documents of
   * earlier answers that the model was given, and those that they were based on; or the documents whose
   * titles a greeting names. Else null.
   */
  @Column({ name: 'told_document_ids', type: json, nullable: true })
  contextDocumentIds: string[] | null;

  /** Null for an answer to a question. */
  @Column('varchar', { nullable: true }) kind: AnswerKind | null;

  /** Whether its numbers, names and quotations are in the passages it cites; null without a model. */
  @Column('boolean', { nullable: true }) grounded: boolean | null;

  /** The probability that a quoted answer is right; null for other messages. */
  @Column('float', { nullable: true }) confidence: number | null;

  /** Whether the quoted documents contradict each other; null for other messages. */
  @Column('boolean', { nullable: true }) conflict: boolean | null;

  /** Why the answer ended. This column and the following ones are null in rows from before they existed. */
  @Column('varchar', { nullable: true }) finishReason: FinishReason | null;

  /** The model that answered, or `extractive`. */
  @Column('varchar', { nullable: true }) model: string | null;

  /** Null if the model reported none. */
  @Column('integer', { nullable: true }) promptTokens: number | null;
  @Column('integer', { nullable: true }) completionTokens: number | null;

  /** How long the answer took; null while it is being written, and if its process died. */
  @Column('integer', { nullable: true }) latencyMs: number | null;

  /** The key that asked. */
  @Column('varchar', { nullable: true }) apiKeyId: string | null;
  @Column('varchar', { nullable: true }) environment: ApiKeyEnvironment | null;

  /** The hash of the filter that restricted the key; null for none. */
  @Column('varchar', { nullable: true }) filterHash: string | null;
  /** How the answer came about; null in rows from before it was kept. Only `TraceReader` reads it. */
  @Column({ type: json, nullable: true, select: false }) trace: StoredTrace | null;

  @OneToOne('MessageFeedback', 'message') feedback: Relation<MessageFeedback> | null;
  @Column({ type: instant }) createdAt: Date;
}
