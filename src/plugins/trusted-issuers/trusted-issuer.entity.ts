import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { json } from '../../platform/database/dialect.js';
import type { ApiKey } from '../../api-keys/api-key.entity.js';

/** By name, what a token's claim must be equal to. */
export type RequiredClaims = Readonly<Record<string, string | number | boolean>>;

/**
 * An outside issuer of tokens that are exchanged for client tokens. Those belong to a key without a
 * secret, which nobody else can use: it has the scopes and the filter, and is deleted with the trust.
 */
@Entity('trusted_issuers')
@Index(['issuer', 'audience'])
@Index(['apiKeyId'], { unique: true })
export class TrustedIssuer {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') apiKeyId: string;
  @BelongsTo('ApiKey', 'api_key_id') apiKey: Relation<ApiKey>;

  @Column('varchar') issuer: string;
  @Column('varchar') audience: string;

  /** See matchesPattern; null for any. */
  @Column('varchar', { nullable: true }) subject: string | null;
  @Column({ type: json, nullable: true }) claims: RequiredClaims | null;
}
