import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../platform/database/belongs-to.js';
import { instant } from '../platform/database/dialect.js';
import type { ApiKey } from './api-key.entity.js';

/**
 * The last use and the refused uses of a key. It is a table of its own, so that recording a use never
 * writes the key's row.
 */
@Entity('api_key_activity')
export class ApiKeyActivity {
  @PrimaryColumn('varchar') apiKeyId: string;
  @Completes('ApiKey', 'api_key_id') apiKey: Relation<ApiKey>;

  @Column({ type: instant, nullable: true }) lastUsedAt: Date | null;
  @Column('varchar', { nullable: true }) lastIp: string | null;

  /** Requests after the key was revoked or deleted. */
  @Column('integer', { default: 0 }) refusedUses: number;
  @Column({ type: instant, nullable: true }) lastRefusedAt: Date | null;
  @Column('varchar', { nullable: true }) lastRefusedIp: string | null;
}
