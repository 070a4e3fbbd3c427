import type { DataSource } from 'typeorm';
import { ReportQueries, Row, Statement } from './report-queries.js';

export class PostgresReportQueries extends ReportQueries {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override rowsOf(parameter: string, columns: readonly string[]): string {
    const typed = columns.map((column) => `"${column}" integer`).join(', ');
    return `SELECT * FROM jsonb_to_recordset(${parameter}::jsonb) AS span (${typed})`;
  }

  /** It cannot know how few the others are: OFFSET 0 keeps it from reading the whole table. */
  override join(table: string, condition: string): string {
    return `CROSS JOIN LATERAL (SELECT * FROM ${table} usage WHERE ${condition} OFFSET 0) usage`;
  }

  override instant(milliseconds: number): string {
    return new Date(milliseconds).toISOString();
  }

  /** On two connections, of which neither waits for the other. */
  override async run(statements: readonly Statement[]): Promise<Row[][]> {
    const results: Row[][] = [];
    const left = statements.entries();
    const runRest = async () => {
      for (const [n, { sql, parameters }] of left) {
        results[n] = await this.dataSource.query<Row[]>(sql, [...parameters]);
      }
    };
    await Promise.all([runRest(), runRest()]);
    return results;
  }
}
