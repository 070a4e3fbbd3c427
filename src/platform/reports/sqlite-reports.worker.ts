import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { defineLower } from '../database/define-lower.js';
import type { Parameter, Range, ReportRow } from './report-queries.js';

export interface ReportTask {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly ranges: readonly Range[];
}

const connection = new Database((workerData as { database: string }).database, { readonly: true });
connection.pragma('busy_timeout = 5000');
connection.pragma('cache_size = -32000');
defineLower(connection);

/** Runs a statement once for each range. Only the code and the message of an error can be sent back. */
export default ({ sql, parameters, ranges }: ReportTask) => {
  const named = Object.fromEntries(parameters.map((value, index) => [String(index + 1), value]));
  try {
    const statement = connection.prepare<[Record<string, unknown>], ReportRow>(sql);
    return { rows: ranges.flatMap((range) => statement.all({ ...named, ...range })) };
  } catch (error) {
    if (error instanceof Database.SqliteError) return { code: error.code, message: error.message };
    throw error;
  }
};
