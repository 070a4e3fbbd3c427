import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import type { AgentConnection } from './agent-connection.entity.js';

/** Registered clients that nobody connected are kept for a week. */
const UNUSED_CLIENT_MS = 7 * 24 * HOUR_MS;

/** What the authorization server keeps: clients, codes, tokens and what goes before them. */
@Entity('oauth_records')
@Index(['expiresAt'])
@Index(['connectionId'])
@Retained({
  condition: `expires_at < :before OR model = 'Client' AND created_at < :unused
    AND NOT EXISTS (SELECT 1 FROM agent_connections c WHERE c.client_id = oauth_records.id)`,
  period: 0,
  parameters: (before) => ({ before, unused: new Date(before.getTime() - UNUSED_CLIENT_MS) }),
})
export class OAuthRecord {
  /** The name of its kind in `oidc-provider`. */
  @PrimaryColumn('varchar') model: string;

  /** The SHA-256 of the id, which is a secret, except of clients and grants. */
  @PrimaryColumn('varchar') id: string;

  @Column('varchar', { nullable: true }) connectionId: string | null;
  @BelongsTo('AgentConnection', 'connection_id') connection: Relation<AgentConnection> | null;

  /** Without the id. */
  @Column({ type: json }) payload: object;
  @Column({ type: instant }) createdAt: Date;

  /** Null for clients. */
  @Column({ type: instant, nullable: true }) expiresAt: Date | null;

  /** When a code was redeemed, or a refresh token exchanged for the next one. */
  @Column({ type: instant, nullable: true }) consumedAt: Date | null;
}
