import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import type { ApiKey } from '../../api-keys/api-key.entity.js';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant } from '../../platform/database/dialect.js';

export const CHANNEL_TYPES = ['slack'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];
export type ChannelState = 'active' | 'paused';

/** A workspace of a chat service in which people ask a knowledge base. */
@Entity('channels')
@Index(['apiKeyId'], { unique: true })
export class Channel {
  @PrimaryColumn('varchar') id: string;

  /**
   * The key that the questions are asked with. Its secret does not exist; it has the limits of the channel, and
   * deleting it ends the channel.
   */
  @Column('varchar') apiKeyId: string;
  @BelongsTo('ApiKey', 'api_key_id') apiKey: Relation<ApiKey>;

  @Column('varchar') type: ChannelType;
  @Column('varchar') name: string;

  /** Encrypted; see ChannelSecrets. Null until they are known. */
  @Column('text', { nullable: true }) signingSecret: string | null;
  @Column('text', { nullable: true }) botToken: string | null;
  /** The pepper that both are encrypted under. */
  @Column('varchar') pepperId: string;

  /** As the chat service names them for the bot token; null without one. */
  @Column('varchar', { nullable: true }) workspaceId: string | null;
  @Column('varchar', { nullable: true }) workspaceName: string | null;
  @Column('varchar', { nullable: true }) botUserId: string | null;

  @Column('varchar') state: ChannelState;
  /** To the minute. */
  @Column({ type: instant, nullable: true }) lastEventAt: Date | null;
  /** Why the last message could not be sent; null once one was. */
  @Column('varchar', { nullable: true }) lastError: string | null;
  @Column('varchar') createdBy: string;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;
}
