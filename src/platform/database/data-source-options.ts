import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { DataSourceOptions } from 'typeorm';
import type { Config, PostgresConfig } from '../config/config.js';
import { defineLower } from './define-lower.js';
import { migrations } from './migrations/index.js';
import { APPLICATION_NAME, connectionOptions } from './postgres-connection.js';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';

export const sqliteFile = (config: Config) => join(config.DATA_DIR, 'latchkey.sqlite');

/**
 * Repositories `read`, units of work `write` (on PostgreSQL both use one pool), and migrations change
 * the schema without timeouts. A `replica` is a standby of PostgreSQL.
 */
export type Access = 'read' | 'write' | 'migrate' | 'replica';

/** Longer than connecting takes; the primary answers in the meantime. */
const REPLICA_CONNECT_TIMEOUT_MS = 500;

/** All entity classes; the composition root provides the list. */
export type Entities = readonly (new () => object)[];

export const dataSourceOptions = (
  config: Config,
  access: Access,
  entities: Entities = [],
): DataSourceOptions => ({
  ...(config.postgres ? postgresOptions(config.postgres, access) : sqliteOptions(config, access)),
  entities: [...entities],
  migrations,
  namingStrategy: new SnakeNamingStrategy(),
  synchronize: false,
});

const sqliteOptions = (config: Config, access: Access) =>
  ({
    type: 'better-sqlite3',
    database: sqliteFile(config),
    prepareDatabase: (connection: Database.Database) => {
      connection.pragma('journal_mode = WAL');
      // SQLite opens an existing WAL with NORMAL, which may lose commits in a power failure.
      connection.pragma('synchronous = FULL');
      // SqliteUnitOfWork does the waiting itself, without blocking the event loop.
      connection.pragma(`busy_timeout = ${access === 'write' ? 0 : 5000}`);
      connection.pragma('foreign_keys = ON');
      defineLower(connection);
      if (access === 'read') {
        connection.pragma('query_only = ON');
        // 32 MB, so that the hot pages of a large table stay in memory.
        connection.pragma('cache_size = -32000');
      }
    },
  }) as const;

function postgresOptions(postgres: PostgresConfig, access: Access) {
  const isReplica = access === 'replica';
  return {
    type: 'postgres',
    url: isReplica ? postgres.DATABASE_REPLICA_URL : postgres.DATABASE_URL,
    applicationName: APPLICATION_NAME,
    poolSize: access === 'migrate' ? 1 : postgres.DATABASE_POOL_SIZE,
    connectTimeoutMS: isReplica ? REPLICA_CONNECT_TIMEOUT_MS : postgres.DATABASE_ACQUIRE_TIMEOUT_MS,
    installExtensions: !isReplica,
    // Passage numbers stay below 2^53.
    parseInt8: true,
    extra: connectionOptions(postgres, access),
  } as const;
}
