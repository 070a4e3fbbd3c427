import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { json } from '../../platform/database/dialect.js';
import type { ApiKey } from '../../api-keys/api-key.entity.js';

/** The values that claims of a token must have, by their names. */
export type RequiredClaims = Readonly<Record<string, string | number | boolean>>;

/**
 * An external issuer whose tokens are exchanged for client tokens. The client tokens belong to a key
 * without a secret, which nobody else can use: it has the scopes and the filter, and is deleted with the
 * trusted issuer.
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

  /** A pattern for matchesPattern; null for any subject. */
  @Column('varchar', { nullable: true }) subject: string | null;
  @Column({ type: json, nullable: true }) claims: RequiredClaims | null;
}
