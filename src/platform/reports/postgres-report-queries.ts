import type { Reads } from '../database/reads.js';
import { type Parameter, type Range, ReportQueries, type ReportRow } from './report-queries.js';

export class PostgresReportQueries extends ReportQueries {
  constructor(private readonly reads: Reads) {
    super();
  }

  override isIn(column: string, parameter: string): string {
    return `${column} IN (SELECT jsonb_array_elements_text(CAST(${parameter} AS jsonb)))`;
  }

  override entries(column: string, of: 'json' | 'text'): string {
    return `jsonb_array_elements${of === 'text' ? '_text' : ''}(${column})`;
  }

  override instant(milliseconds: number): string {
    return new Date(milliseconds).toISOString();
  }

  override run(sql: string, parameters: readonly Parameter[]): Promise<ReportRow[]> {
    return this.query(sql, parameters);
  }

  /** Uses one statement for all ranges: there are up to 2,200, and each would be a round trip. */
  override runForRanges(
    sql: string,
    parameters: readonly Parameter[],
    ranges: readonly Range[],
  ): Promise<ReportRow[]> {
    const [first, next] = [parameters.length + 1, parameters.length + 2];
    const ofRange = sql.replaceAll('$first', 'range.first').replaceAll('$next', 'range.next');
    return this.query(
      `SELECT result.* FROM unnest($${first}::bigint[], $${next}::bigint[])
         WITH ORDINALITY AS range (first, next, position)
       CROSS JOIN LATERAL (${ofRange}) AS result ORDER BY range.position`,
      [...parameters, ranges.map((range) => range.first), ranges.map((range) => range.next)],
    );
  }

  private query(sql: string, parameters: readonly unknown[]): Promise<ReportRow[]> {
    return this.reads.latest((manager) => manager.query<ReportRow[]>(sql, [...parameters]));
  }
}
