import { Logger, OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Config } from '../config/config.js';
import { sqliteFile } from '../database/data-source-options.js';
import { ReportQueries, Row, Statement } from './report-queries.js';

/** In worker threads: SQLite answers synchronously and would hold up every other request. */
export class SqliteReportQueries extends ReportQueries implements OnApplicationShutdown {
  private readonly logger = new Logger(SqliteReportQueries.name);
  private readonly workers: Piscina;

  constructor(config: Config) {
    super();
    this.workers = new Piscina({
      filename: new URL('./sqlite-reports.worker.js', import.meta.url).href,
      workerData: { database: sqliteFile(config) },
      // Begun with the first report.
      minThreads: 0,
      maxThreads: 2,
      idleTimeout: 60_000,
    });
    // Unheard, a thread that cannot begin would end the process.
    this.workers.on('error', (error) => {
      this.logger.error(error);
    });
  }

  override rowsOf(parameter: string, columns: readonly string[]): string {
    const values = columns.map((column) => `value ->> '${column}' AS "${column}"`);
    return `SELECT ${values.join(', ')} FROM json_each(${parameter})`;
  }

  /** It keeps the order of a CROSS JOIN. */
  override join(table: string, condition: string): string {
    return `CROSS JOIN ${table} usage ON ${condition}`;
  }

  override instant(milliseconds: number): string {
    return new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '');
  }

  override run(statements: readonly Statement[]): Promise<Row[][]> {
    return Promise.all(statements.map((statement) => this.rows(statement)));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.destroy();
  }

  private async rows(statement: Statement): Promise<Row[]> {
    const answer = (await this.workers.run(statement)) as
      { rows: Row[] } | { code: string; message: string };
    if ('rows' in answer) return answer.rows;
    throw Object.assign(new Error(answer.message), { code: answer.code });
  }
}
