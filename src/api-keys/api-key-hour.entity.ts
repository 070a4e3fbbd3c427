import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { instant } from '../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../platform/jobs/retention.js';
import { ApiKey } from './api-key.entity.js';

/** How often a key was used in one hour. */
@Entity('api_key_hours')
@Index(['hour'])
@Retained({ condition: 'hour < :before', period: 31 * 24 * HOUR_MS })
export class ApiKeyHour {
  @PrimaryColumn('varchar') apiKeyId: string;
  @BelongsTo(() => ApiKey, 'api_key_id') apiKey: Relation<ApiKey>;

  /** Its beginning. */
  @PrimaryColumn({ type: instant }) hour: Date;
  @Column('integer', { default: 0 }) requests: number;
}
