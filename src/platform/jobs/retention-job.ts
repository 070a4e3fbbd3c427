import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityMetadata, type ObjectLiteral } from 'typeorm';
import { Config } from '../config/config.js';
import { requireTable } from '../database/require-table.js';
import { deleteInBatches } from '../database/row-batches.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Metrics } from '../metrics/metrics.js';
import { Job, type JobRound } from './job.js';
import type { MayContinue } from './job-lock.js';
import { retainedTables, HOUR_MS, type Retention } from './retention.js';

/** Removes the expired rows of tables declared with `Retained`. */
@Injectable()
export class RetentionJob implements OnModuleInit {
  private readonly logger = new Logger(RetentionJob.name);
  private tables: readonly (readonly [EntityMetadata, Retention])[] = [];

  constructor(
    private readonly config: Config,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.tables = [...retainedTables].map(([entity, retention]) => [
      requireTable(this.dataSource, entity),
      retention,
    ]);
  }

  @Job({ every: HOUR_MS, singleton: 'retention' })
  async removeExpired({ now, mayContinue }: JobRound): Promise<void> {
    const at = await now();
    let isComplete = true;
    for (const [table, retention] of this.tables) {
      if (!(await mayContinue())) return;
      try {
        const removed = await this.removeRows(table, retention, at, mayContinue);
        this.metrics.removed.inc({ name: table.tableName }, removed);
      } catch (error) {
        // Rows of other tables are still removed.
        this.logger.error(error);
        isComplete = false;
      }
    }
    if (!isComplete) throw new Error('Some expired rows could not be removed');
  }

  private async removeRows(
    { target }: EntityMetadata,
    { condition, period, parameters = (before) => ({ before }), groups }: Retention,
    now: Date,
    mayContinue: MayContinue,
  ): Promise<number> {
    const keptMs = typeof period === 'number' ? period : period(this.config);
    const ended = parameters(new Date(now.getTime() - keptMs));
    let removed = 0;
    const found = groups ? await this.dataSource.manager.query<ObjectLiteral[]>(groups) : [{}];
    for (const group of found) {
      const all = { ...group, ...ended };
      const batches = deleteInBatches(this.unitOfWork, target, condition, all, mayContinue);
      removed += (await batches).deleted;
    }
    return removed;
  }
}
