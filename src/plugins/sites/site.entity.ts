import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import type { ApiKey } from '../../api-keys/api-key.entity.js';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';

export type SiteState = 'active' | 'paused';

export const POSITIONS = ['left', 'right'] as const;
export const COLOR_SCHEMES = ['auto', 'light', 'dark'] as const;

/** How the widget looks. */
export interface SiteTheme {
  readonly accent?: string;
  readonly position?: (typeof POSITIONS)[number];
  readonly color_scheme?: (typeof COLOR_SCHEMES)[number];
}

/** A website on which visitors ask a knowledge base. */
@Entity('sites')
@Index(['apiKeyId'], { unique: true })
export class Site {
  @PrimaryColumn('varchar') id: string;

  /**
   * The key that the questions are asked with. Its secret does not exist; it has the limits of the site, and deleting
   * it ends the site.
   */
  @Column('varchar') apiKeyId: string;
  @BelongsTo('ApiKey', 'api_key_id') apiKey: Relation<ApiKey>;

  @Column('varchar') name: string;
  @Column({ type: json }) origins: string[];
  @Column('varchar', { nullable: true }) greeting: string | null;
  @Column({ type: json }) suggestions: string[];
  @Column({ type: json }) theme: SiteTheme;

  /** Where a visitor can talk to a person; null for nowhere. */
  @Column('varchar', { nullable: true }) contactUrl: string | null;

  /** The work that a visitor's browser does, in bits; 0 for none. */
  @Column('integer') proofOfWork: number;
  /** The questions of one address in 24 hours; null for no limit. */
  @Column('integer', { nullable: true }) perAddressPerDay: number | null;
  @Column('varchar') state: SiteState;
  @Column('varchar') createdBy: string;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;
}
