import type { Database } from 'better-sqlite3';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

// Internals of TypeORM without a public API. If a release renames them, the service refuses to start.

/** Returns the pool of a data source that is connected to PostgreSQL. */
export function postgresPool(dataSource: DataSource): Pool {
  const { master } = dataSource.driver as { readonly master?: Pool };
  if (typeof master?.totalCount !== 'number') throw new Error('TypeORM has no pool of pg here');
  return master;
}

/** Returns the connection of a data source that has opened its SQLite file. */
export function sqliteConnection(dataSource: DataSource): Database {
  const { databaseConnection } = dataSource.driver as { readonly databaseConnection?: Database };
  if (typeof databaseConnection?.prepare !== 'function') {
    throw new Error('TypeORM has no connection of better-sqlite3 here');
  }
  return databaseConnection;
}
