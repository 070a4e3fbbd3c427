import type { DataSource } from 'typeorm';
import { ReportQueries, Row, Statement } from './report-queries.js';

export class PostgresReportQueries extends ReportQueries {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override rowsOf(parameter: string, columns: readonly string[]): string {
    const typed = columns.map((column) => `"${column}" bigint`).join(', ');
    return `SELECT * FROM jsonb_to_recordset(${parameter}::jsonb) AS span (${typed})`;
  }

  override instant(milliseconds: number): string {
    return new Date(milliseconds).toISOString();
  }

  override run(statements: readonly Statement[]): Promise<Row[][]> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const results: Row[][] = [];
      for (const { sql, parameters } of statements) {
        results.push(await manager.query<Row[]>(sql, [...parameters]));
      }
      return results;
    });
  }
}
