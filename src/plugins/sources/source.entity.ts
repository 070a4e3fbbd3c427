import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import type { SettledPaths } from '@latchkey/sources/access-paths';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import type { Schedule } from './schedule.js';

/**
 * `failing` after a run that failed, `needs_confirmation` after one that would delete too much or that
 * holds documents back; the next run that ends well makes either `active` again. A `paused` one is not run by its schedule.
 */
export type SourceState = 'active' | 'paused' | 'failing' | 'needs_confirmation';

/** A place outside that documents of a knowledge base come from. */
@Entity('sources')
@Index(['kbId', 'id'])
@Index(['nextRunAt'])
export class Source {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** Who created the knowledge base: the user in whose turn it is run. */
  @Column('varchar') userId: string;

  /** The kind, such as `website`. */
  @Column('varchar') type: string;
  @Column('varchar') name: string;
  @Column({ type: json }) config: object;

  /** What runs have found out about the paths of `access` in the configuration. */
  @Column({ type: json, nullable: true }) accessPaths: SettledPaths | null;

  /** JSON, encrypted; null for none. */
  @Column('text', { nullable: true }) credentials: string | null;

  /** The pepper that they are encrypted under. */
  @Column('varchar', { nullable: true }) pepperId: string | null;
  @Column({ type: json, nullable: true }) schedule: Schedule | null;
  @Column('varchar') onDelete: 'delete' | 'keep';
  @Column('varchar') state: SourceState;

  /** By the database's clock; null without a schedule and while it is paused. */
  @Column({ type: instant, nullable: true }) nextRunAt: Date | null;

  /** The end of the last run that was complete. */
  @Column({ type: instant, nullable: true }) lastSyncedAt: Date | null;
  @Column('varchar') createdBy: string;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;
}
