import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Pool, QueryResultRow } from 'pg';
import type { DataSource, Driver } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** Runs one statement and gives its first row. */
export type PreparedQuery<Row> = (parameters: string[]) => Promise<Row | undefined>;

/** For what every request asks: preparing a statement takes several times as long as running it. */
export function prepareQuery<Row extends object>(
  dataSource: DataSource,
  sql: string,
): PreparedQuery<Row> {
  return dataSource.options.type === 'better-sqlite3'
    ? onSqlite(dataSource, sql)
    : onPostgres(dataSource, sql);
}

/** PostgreSQL knows prepared statements by name, on each connection; it must differ as they do. */
export const statementName = (sql: string) => createHash('sha256').update(sql).digest('base64url');

function onPostgres<Row extends object>(dataSource: DataSource, sql: string): PreparedQuery<Row> {
  const pool = (dataSource.driver as PostgresDriver).master as Pool;
  const name = statementName(sql);
  return async (values) =>
    (await pool.query<Row & QueryResultRow>({ name, text: sql, values })).rows[0];
}

interface Question<Row> {
  readonly parameters: string[];
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Requests that came in during one turn of the event loop are answered together, in one read
 * transaction that begins after the last of them came: taking and giving back SQLite's locks for
 * each would cost as much as reading.
 */
function onSqlite<Row extends object>(dataSource: DataSource, sql: string): PreparedQuery<Row> {
  const { databaseConnection } = dataSource.driver as Driver & { databaseConnection: Database };
  const statement = databaseConnection.prepare<string[], Row>(sql);
  let waiting: Question<Row>[] = [];
  const readAll = databaseConnection.transaction((questions: Question<Row>[]) =>
    questions.map(({ parameters }) => statement.get(...parameters)),
  );
  const answerAll = () => {
    const questions = waiting;
    waiting = [];
    try {
      readAll(questions).forEach((row, index) => questions[index]?.resolve(row));
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  };
  return (parameters) =>
    new Promise((resolve, reject) => {
      waiting.push({ parameters, resolve, reject });
      if (waiting.length === 1) setImmediate(answerAll);
    });
}
