import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../platform/database/belongs-to.js';
import { HOUR_MS, Retained } from '../platform/jobs/retention.js';
import type { ApiKey } from './api-key.entity.js';

/**
 * How often a key of a service account was used from an address in an hour. Uses of other keys are counted
 * for their knowledge base.
 */
@Entity('management_key_uses', { withoutRowid: true })
@Retained({
  groups: 'SELECT k.id AS "apiKeyId" FROM service_accounts a JOIN api_keys k ON k.owner_id = a.id',
  condition: 'api_key_id = :apiKeyId AND hour < :before',
  parameters: (before) => ({ before: toHour(before) }),
  period: 31 * 24 * HOUR_MS,
})
export class ManagementKeyUse {
  @PrimaryColumn('varchar') apiKeyId: string;
  @BelongsTo('ApiKey', 'api_key_id') apiKey: Relation<ApiKey>;

  /** The number of the hour since 1970. */
  @PrimaryColumn('integer') hour: number;
  @PrimaryColumn('varchar') ip: string;
  @Column('integer') requests: number;
}

/** The number of the hour since 1970. */
export function toHour(at: Date): number {
  return Math.floor(at.getTime() / HOUR_MS);
}
