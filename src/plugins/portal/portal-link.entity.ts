import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import type { ApiKey } from '../../api-keys/api-key.entity.js';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';

/** A link to the portal of a key, and the session of the browser that opened it. */
@Entity('portal_links')
@Index(['apiKeyId'])
@Index(['expiresAt'])
@Index(['tokenHash'], { unique: true })
@Index(['sessionHash'], { unique: true })
@Retained({ condition: 'expires_at < :before', period: 30 * 24 * HOUR_MS })
export class PortalLink {
  @PrimaryColumn('varchar') id: string;

  @Column('varchar') apiKeyId: string;
  @BelongsTo('ApiKey', 'api_key_id') apiKey: Relation<ApiKey>;

  /** The SHA-256 of what the link has after `#`. */
  @Column('varchar') tokenHash: string;

  /** The person to whom it was made out; null if nobody was named. */
  @Column('varchar', { nullable: true }) recipient: string | null;

  @Column('boolean') mayRotate: boolean;

  /** Who made it, with the groups that they had then: the link ends when they may not change the key any more. */
  @Column('varchar') makerId: string;
  @Column({ type: json }) makerGroups: string[];
  @Column({ type: instant }) createdAt: Date;

  /** Until when it can be opened. */
  @Column({ type: instant }) expiresAt: Date;

  /** A link is opened once. */
  @Column({ type: instant, nullable: true }) openedAt: Date | null;

  /** The SHA-256 of the session's cookie. */
  @Column('varchar', { nullable: true }) sessionHash: string | null;
}
