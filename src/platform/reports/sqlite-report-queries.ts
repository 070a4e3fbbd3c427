import { OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { sqliteFile } from '../database/data-source-options.js';
import { QUESTION_START_WAIT_MS, WorkerPool } from '../jobs/worker-pool.js';
import { type Parameter, type Range, ReportQueries, type ReportRow } from './report-queries.js';
import type { ReportTask } from './sqlite-reports.worker.js';

/**
 * Runs reports in worker threads, because SQLite is synchronous: statements over a million messages
 * take up to 60 ms each, which would block the event loop. There are two threads because a report
 * should take less than 100 ms.
 */
export class SqliteReportQueries extends ReportQueries implements OnApplicationShutdown {
  private readonly workers: WorkerPool;

  constructor(config: Config) {
    super();
    this.workers = new WorkerPool(new URL('./sqlite-reports.worker.js', import.meta.url), {
      workerData: { database: sqliteFile(config) },
      maxThreads: 2,
      idleTimeout: 60_000,
      maxStartWaitMs: QUESTION_START_WAIT_MS,
    });
  }

  override isIn(column: string, parameter: string): string {
    return `${column} IN (SELECT value FROM json_each(${parameter}))`;
  }

  override entries(column: string): string {
    return `json_each(${column})`;
  }

  override instant(milliseconds: number): string {
    return new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '');
  }

  override run(sql: string, parameters: readonly Parameter[]): Promise<ReportRow[]> {
    return this.runForRanges(sql, parameters, [{ first: 0, next: 0 }]);
  }

  override async runForRanges(
    sql: string,
    parameters: readonly Parameter[],
    ranges: readonly Range[],
  ): Promise<ReportRow[]> {
    const task: ReportTask = { sql, parameters, ranges };
    const answer = (await this.workers.run(task)) as
      { rows: ReportRow[] } | { code: string; message: string };
    if ('rows' in answer) return answer.rows;
    throw Object.assign(new Error(answer.message), { code: answer.code });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.destroy();
  }
}
