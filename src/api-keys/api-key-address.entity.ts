import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { instant } from '../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../platform/jobs/retention.js';
import { ApiKey } from './api-key.entity.js';

/** An address that a key was used from. */
@Entity('api_key_addresses')
@Index(['lastUsedAt'])
@Retained({ condition: 'last_used_at < :before', period: 31 * 24 * HOUR_MS })
export class ApiKeyAddress {
  @PrimaryColumn('varchar') apiKeyId: string;
  @BelongsTo(() => ApiKey, 'api_key_id') apiKey: Relation<ApiKey>;

  @PrimaryColumn('varchar') ip: string;
  @Column({ type: instant }) lastUsedAt: Date;
}
