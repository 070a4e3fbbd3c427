import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import type { SettledPaths } from '@latchkey/sources/access-paths';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import type { Schedule } from './schedule.js';

/**
 * `failing` after a failed run, `needs_confirmation` after one that would delete too much or that holds
 * documents back; the next complete run makes either `active` again. A `paused` source is not run by its
 * schedule.
 */
export type SourceState = 'active' | 'paused' | 'failing' | 'needs_confirmation';

/** An external place that documents of a knowledge base come from. */
@Entity('sources')
@Index(['kbId', 'id'])
@Index(['nextRunAt'])
export class Source {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** The user who created the knowledge base, whose turn a run takes. */
  @Column('varchar') userId: string;

  /** The kind, such as `website`. */
  @Column('varchar') type: string;
  @Column('varchar') name: string;
  @Column({ type: json }) config: object;

  /** The results of earlier runs about the paths of `access` in the configuration. */
  @Column({ type: json, nullable: true }) accessPaths: SettledPaths | null;

  /** Encrypted JSON; null if there are none. */
  @Column('text', { nullable: true }) credentials: string | null;

  /** The pepper that the credentials are encrypted under. */
  @Column('varchar', { nullable: true }) pepperId: string | null;
  @Column({ type: json, nullable: true }) schedule: Schedule | null;
  @Column('varchar') onDelete: 'delete' | 'keep';
  @Column('varchar') state: SourceState;

  /** The time by the database's clock; null without a schedule and while paused. */
  @Column({ type: instant, nullable: true }) nextRunAt: Date | null;

  /** The end of the last run that was complete. */
  @Column({ type: instant, nullable: true }) lastSyncedAt: Date | null;
  @Column('varchar') createdBy: string;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;
}
