import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import type { Conversation } from '../../chat/conversations/conversation.entity.js';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import type { ChannelReply } from './channel-port.js';
import type { Channel } from './channel.entity.js';

/** Which message of a chat service is the answer to which one, and the conversation that both are in. */
@Entity('channel_answers')
@Index(['channelId', 'place', 'answerMessage'])
@Index(['channelId', 'place', 'thread', 'asker'])
@Index(['conversationId'])
@Index(['createdAt'])
@Retained({ condition: 'created_at < :before', period: 90 * 24 * HOUR_MS })
export class ChannelAnswer {
  /** The channel, the place and the message with the question; see toAnswerId. */
  @PrimaryColumn('varchar') id: string;

  @Column('varchar') channelId: string;
  @BelongsTo('Channel', 'channel_id') channel: Relation<Channel>;

  @Column('varchar') conversationId: string;
  @BelongsTo('Conversation', 'conversation_id') conversation: Relation<Conversation>;
  /** The answer of the conversation that is shown. */
  @Column('varchar') messageId: string;

  @Column('varchar') place: string;
  @Column('varchar') thread: string;
  /** The id of the asker in the workspace. */
  @Column('varchar') asker: string;
  /** The message with the answer; null until it is sent. */
  @Column('varchar', { nullable: true }) answerMessage: string | null;
  /** What is still to be sent; null once it was. */
  @Column({ type: json, nullable: true }) reply: ChannelReply | null;

  /** The latest edit of the question that was begun, and the latest reaction: both as the chat service dates them. */
  @Column('varchar', { nullable: true }) editedAt: string | null;
  @Column('varchar', { nullable: true }) ratedAt: string | null;
  /** The edit that the answer is to, which was asked then and need not be again. */
  @Column('varchar', { nullable: true }) answeredEdit: string | null;
  @Column({ type: instant }) createdAt: Date;
}

export const toAnswerId = (channelId: string, place: string, message: string): string =>
  `${channelId}:${place}:${message}`;
