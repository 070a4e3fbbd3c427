import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DataSourceOptions } from 'typeorm';
import { Config, PostgresConfig } from '../config/config.js';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';

export const sqliteFile = (config: Config) => join(config.dataDir, 'latchkey.sqlite');

/**
 * How a data source is used. Repositories `read`, units of work `write` (see SqliteUnitOfWork; on
 * PostgreSQL they share one pool), and the schema is changed by `migrate`, without timeouts.
 */
export type Access = 'read' | 'write' | 'migrate';

export const dataSourceOptions = (config: Config, access: Access): DataSourceOptions => ({
  ...(config.postgres ? postgresOptions(config.postgres, access) : sqliteOptions(config, access)),
  entities,
  migrations,
  namingStrategy: new SnakeNamingStrategy(),
  synchronize: false,
});

const sqliteOptions = (config: Config, access: Access) =>
  ({
    type: 'better-sqlite3',
    database: sqliteFile(config),
    // Set on every connection: an existing WAL file is reopened with synchronous = NORMAL, which
    // may forget acknowledged commits when the power goes.
    prepareDatabase: (connection: Database.Database) => {
      connection.pragma('journal_mode = WAL');
      connection.pragma('synchronous = FULL');
      // The writer waits without holding up the process: see SqliteUnitOfWork.
      connection.pragma(`busy_timeout = ${access === 'write' ? 0 : 5000}`);
      connection.pragma('foreign_keys = ON');
      // SQLite's own knows the case of ASCII letters only.
      connection.function('lower', { deterministic: true }, (text: unknown) =>
        typeof text === 'string' ? text.toLowerCase() : text,
      );
      if (access === 'read') {
        connection.pragma('query_only = ON');
        // 32 MB, taken as it fills: a large table's keys in use stay in memory.
        connection.pragma('cache_size = -32000');
      }
    },
  }) as const;

function postgresOptions(postgres: PostgresConfig, access: Access) {
  const { url, poolSize, acquireTimeoutMs, statementTimeoutMs } = postgres;
  const timeouts =
    access === 'migrate'
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          // For a server that is out of reach and so cannot keep to its own timeout.
          query_timeout: statementTimeoutMs + 250,
          idle_in_transaction_session_timeout: 10 * statementTimeoutMs,
        };
  return {
    type: 'postgres',
    url,
    applicationName: 'latchkey',
    poolSize: access === 'migrate' ? 1 : poolSize,
    connectTimeoutMS: acquireTimeoutMs,
    // Chunk numbers stay below 2^53.
    parseInt8: true,
    // Compiling a plan takes longer than running any of ours.
    extra: {
      ...timeouts,
      // What a unit of work asks at once is sent at once: see together().
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
      options: '-c jit=off',
    },
  } as const;
}
