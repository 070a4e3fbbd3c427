import { Injectable, OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { InjectDataSource } from '@nestjs/typeorm';
import { Counter } from 'prom-client';
import { DataSource, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { Config } from '../config/config.js';
import { databaseNow } from '../database/database-now.js';
import { requireTable } from '../database/require-table.js';
import { deleteInBatches } from '../database/row-batches.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Metrics } from '../metrics/metrics.js';
import { BackgroundJob } from './background-job.js';
import { JobLock } from './job-lock.js';
import {
  declaredTables,
  HOUR_MS,
  type Retention,
  type RetentionRound,
  RunForRetention,
} from './retention.js';

const INTERVAL_MS = 60_000;

interface Declaration {
  readonly name: string;
  readonly everyMs: number;
  /** @returns the number removed */
  readonly remove: (round: RetentionRound) => Promise<number>;
}

/**
 * Removes expired data: the rows of tables declared with `Retained`, and what the tasks of
 * `RunForRetention` remove. Only one process does it at a time.
 */
@Injectable()
export class RetentionJob extends BackgroundJob implements OnModuleInit {
  private declarations: readonly Declaration[] = [];
  private readonly finishedAt = new Map<string, number>();
  private readonly removed: Counter<'name'>;

  constructor(
    private readonly config: Config,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly discovery: DiscoveryService,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobLock,
    { registry }: Metrics,
  ) {
    super(INTERVAL_MS);
    this.removed = new Counter({
      name: 'latchkey_retention_removed_total',
      help: 'Rows and files removed because the time they are kept for was over, by table or task.',
      labelNames: ['name'],
      registers: [registry],
    });
  }

  onModuleInit(): void {
    this.declarations = [...this.tables(), ...this.tasks()];
  }

  protected override async run(): Promise<void> {
    const due = this.declarations.filter((declaration) => this.isDue(declaration));
    if (due.length === 0) return;
    await this.jobs.run('retention', this.signal, async (mayContinue) => {
      const now = await databaseNow(this.dataSource.manager);
      for (const declaration of due) {
        if (!(await mayContinue())) return;
        await this.remove(declaration, { now, mayContinue });
      }
    });
  }

  private isDue({ name, everyMs }: Declaration): boolean {
    return performance.now() - (this.finishedAt.get(name) ?? -Infinity) >= everyMs;
  }

  /** Logs a failure, so that it does not block other removals; the next round retries it. */
  private async remove({ name, remove }: Declaration, round: RetentionRound): Promise<void> {
    const began = performance.now();
    try {
      this.removed.inc({ name }, await remove(round));
      this.finishedAt.set(name, began);
    } catch (error) {
      this.logger.error(error);
    }
  }

  private tables(): Declaration[] {
    return [...declaredTables].map(([entity, retention]) => {
      const table = requireTable(this.dataSource, entity);
      const remove = (round: RetentionRound) => this.removeRows(table.target, retention, round);
      return { name: table.tableName, everyMs: HOUR_MS, remove };
    });
  }

  private tasks(): Declaration[] {
    return RunForRetention.find(this.discovery).map(({ name, options, instance }) => ({
      name,
      everyMs: options.everyMs ?? HOUR_MS,
      remove: (round) => instance.removeEnded(round),
    }));
  }

  private async removeRows(
    entity: EntityTarget<ObjectLiteral>,
    { condition, period, parameters = (before) => ({ before }), groups }: Retention,
    { now, mayContinue }: RetentionRound,
  ): Promise<number> {
    const keptMs = typeof period === 'number' ? period : period(this.config);
    const ended = parameters(new Date(now.getTime() - keptMs));
    let removed = 0;
    const found = groups ? await this.dataSource.manager.query<ObjectLiteral[]>(groups) : [{}];
    for (const group of found) {
      const all = { ...group, ...ended };
      const batches = deleteInBatches(this.unitOfWork, entity, condition, all, mayContinue);
      removed += (await batches).deleted;
    }
    return removed;
  }
}
