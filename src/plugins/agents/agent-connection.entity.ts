import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import type { ApiKey } from '../../api-keys/api-key.entity.js';
import type { ApiKeyScope } from '../../api-keys/scope.js';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { Retained } from '../../platform/jobs/retention.js';
import type { ResourceName } from './resources.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** An agent that somebody connected to an API key. Its tokens end with it, and with the key. */
@Entity('agent_connections')
@Index(['apiKeyId'])
@Index(['expiresAt'])
@Index(['clientId'])
@Retained({ condition: 'expires_at < :before', period: 90 * DAY_MS })
export class AgentConnection {
  /** Also the id of its grant, which the authorization server keeps. */
  @PrimaryColumn('varchar') id: string;

  @Column('varchar') apiKeyId: string;
  @BelongsTo('ApiKey', 'api_key_id') apiKey: Relation<ApiKey>;

  /** The client's registration, or the address of its metadata. */
  @Column('varchar') clientId: string;

  /** The name that the client gives itself. */
  @Column('varchar') clientName: string;

  /** The host that vouches for the name; null if nobody does. */
  @Column('varchar', { nullable: true }) clientHost: string | null;
  @Column('varchar') resource: ResourceName;
  @Column('simple-array') scopes: ApiKeyScope[];

  /** See API_KEY_TRANSITIONS: a deactivated connection never becomes active again. */
  @Column('varchar') state: 'active' | 'deactivated';

  /**
   * The dashboard user for whom the key was made: it opens only what they are a member of. Null for keys of
   * others.
   */
  @Column('varchar', { nullable: true }) personId: string | null;

  /** The person in whose name it asks; null for the key's own. */
  @Column('varchar', { nullable: true }) endUserId: string | null;

  /** The principals of that person; null for those of the key. */
  @Column({ type: json, nullable: true }) principals: string[] | null;

  @Column({ type: instant }) createdAt: Date;

  /** When the agent got its first tokens; null before. */
  @Column({ type: instant, nullable: true }) connectedAt: Date | null;

  /** When its last token expires. */
  @Column({ type: instant }) expiresAt: Date;
  @Column({ type: instant, nullable: true }) lastUsedAt: Date | null;
  @Column('integer', { default: 0 }) requests: number;
}
