import type { Database } from 'better-sqlite3';
import type { DataSource, Driver } from 'typeorm';

/** Runs one statement and gives its first row. */
export type PreparedQuery<Row> = (parameters: string[]) => Promise<Row | undefined>;

/**
 * For what every request asks: on SQLite, what TypeORM does around a statement takes as long as the
 * statement does.
 */
export function prepareQuery<Row>(dataSource: DataSource, sql: string): PreparedQuery<Row> {
  if (dataSource.options.type !== 'better-sqlite3') {
    return async (parameters) => (await dataSource.query<Row[]>(sql, parameters))[0];
  }
  const { databaseConnection } = dataSource.driver as Driver & { databaseConnection: Database };
  const statement = databaseConnection.prepare<string[], Row>(sql);
  // Asynchronous, so that a failure is a rejection on both engines.
  // eslint-disable-next-line @typescript-eslint/require-await
  return async (parameters) => statement.get(...parameters);
}
