import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { UNDER_LEGAL_HOLD } from '../../knowledge-bases/settings/legal-hold.js';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { firstIdAt } from '../../platform/http/type-id.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import { Source } from './source.entity.js';

type RunStatus = 'running' | 'complete' | 'failed' | 'cancelled' | 'needs_confirmation';

/** The numbers of documents that a run added, changed and so on, or that a preview would. */
export interface RunCounts {
  added: number;
  changed: number;
  deleted: number;
  unchanged: number;
  failed: number;
  /** The number of documents listed so far. */
  listed?: number;
  /** Of a run that a client carries out: what it is going to do, and how much of it is left. */
  planned?: { added: number; changed: number; deleted: number; left: number };
}

/** The reason why a document failed; with the key null, why the whole run failed. */
export interface RunError {
  readonly key: string | null;
  readonly code: string;
  readonly message: string;
}

/** One comparison of a source with the documents that come from it. */
@Entity('source_runs')
@Index(['sourceId', 'id'])
@Index(['sourceId'], { unique: true, where: 'ended_at IS NULL' })
@Retained({
  condition: `id < :first AND ended_at IS NOT NULL AND kb_id NOT IN (${UNDER_LEGAL_HOLD})`,
  parameters: (before) => ({ first: firstIdAt('run', before.getTime()) }),
  period: 30 * 24 * HOUR_MS,
})
export class SourceRun {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') sourceId: string;
  @BelongsTo(() => Source, 'source_id') source: Relation<Source>;
  @Column('varchar') kbId: string;

  /** A preview changes nothing. */
  @Column('boolean') isPreview: boolean;

  /** A confirmed run deletes any number of documents that are gone at the source. */
  @Column('boolean') isConfirmed: boolean;
  @Column('varchar') status: RunStatus;
  @Column({ type: json }) counts: RunCounts;
  @Column({ type: json }) errors: RunError[];

  @Column({ type: instant }) createdAt: Date;

  /** The last request of the client that carries out the run; null if the service does. */
  @Column({ type: instant, nullable: true }) activeAt: Date | null;
  @Column({ type: instant, nullable: true }) endedAt: Date | null;
}
