import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { Row, Statement } from './report-queries.js';

const connection = new Database((workerData as { database: string }).database, { readonly: true });
connection.pragma('busy_timeout = 5000');
connection.pragma('cache_size = -32000');

/** The error of a worker's own class does not survive the way back: its code is what counts. */
export default ({ sql, parameters }: Statement) => {
  const named = Object.fromEntries(parameters.map((value, index) => [String(index + 1), value]));
  try {
    return { rows: connection.prepare<[Record<string, unknown>], Row>(sql).all(named) };
  } catch (error) {
    if (error instanceof Database.SqliteError) return { code: error.code, message: error.message };
    throw error;
  }
};
