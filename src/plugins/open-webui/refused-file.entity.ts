import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant } from '../../platform/database/dialect.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import { Source } from '../sources/source.entity.js';

/**
 * A file that was refused because of its content, and is not asked for again until its version changes. After
 * a week it is, because a new release may read it.
 */
@Entity('refused_files')
@Index(['createdAt'])
@Retained({ condition: 'created_at < :before', period: 7 * 24 * HOUR_MS })
export class RefusedFile {
  @PrimaryColumn('varchar') sourceId: string;
  @BelongsTo(() => Source, 'source_id') source: Relation<Source>;
  @PrimaryColumn('varchar') key: string;
  @Column('varchar') version: string;
  @Column('varchar') code: string;
  @Column('varchar') message: string;
  @Column({ type: instant }) createdAt: Date;
}
