import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { Row, Statement } from './report-queries.js';

const connection = new Database((workerData as { database: string }).database, { readonly: true });
connection.pragma('busy_timeout = 5000');
connection.pragma('cache_size = -32000');

const runAll = connection.transaction((statements: readonly Statement[]) =>
  statements.map(({ sql, parameters }) => {
    const named = Object.fromEntries(parameters.map((value, index) => [String(index + 1), value]));
    return connection.prepare<[Record<string, unknown>], Row>(sql).all(named);
  }),
);

/** The error of a worker's own class does not survive the way back: its code is what counts. */
export default (statements: readonly Statement[]) => {
  try {
    return { results: runAll(statements) };
  } catch (error) {
    if (error instanceof Database.SqliteError) return { code: error.code, message: error.message };
    throw error;
  }
};
