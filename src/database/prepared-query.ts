import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Pool, QueryResultRow } from 'pg';
import type { DataSource, Driver } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { isPostgres } from './dialect.js';

/** Runs one statement and returns its first row. */
export type PreparedQuery<Row> = (parameters: string[]) => Promise<Row | undefined>;

/** PostgreSQL keeps prepared statements by name, so each text needs a name of its own. */
export const statementName = (sql: string) => createHash('sha256').update(sql).digest('base64url');

/**
 * Prepares a statement that every request runs: SQLite once, PostgreSQL once for each connection.
 * Preparing takes several times as long as running it.
 */
export function prepareQuery<Row extends object>(
  dataSource: DataSource,
  sql: string,
): PreparedQuery<Row> {
  if (isPostgres(dataSource)) {
    const pool = (dataSource.driver as PostgresDriver).master as Pool;
    const name = statementName(sql);
    return async (values) =>
      (await pool.query<Row & QueryResultRow>({ name, text: sql, values })).rows[0];
  }
  const { databaseConnection } = dataSource.driver as Driver & { databaseConnection: Database };
  const statement = databaseConnection.prepare<string[], Row>(sql);
  return (parameters) =>
    new Promise((resolve) => {
      resolve(statement.get(...parameters));
    });
}
