import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import type { ChannelEvent } from './channel-port.js';
import type { Channel } from './channel.entity.js';

/** A received event. Its id is unique, since chat services repeat events that were not acknowledged in time. */
@Entity('channel_events')
@Index(['channelId'])
@Index(['createdAt'])
@Retained({ condition: 'created_at < :before', period: 24 * HOUR_MS })
export class ChannelEventRow {
  /** The channel and what the event is known by; see ReceivedEvent. */
  @PrimaryColumn('varchar') id: string;

  @Column('varchar') channelId: string;
  @BelongsTo('Channel', 'channel_id') channel: Relation<Channel>;

  /** Null once it is done, so that questions are kept as conversations only. */
  @Column({ type: json, nullable: true }) event: ChannelEvent | null;
  @Column({ type: instant }) createdAt: Date;
}
