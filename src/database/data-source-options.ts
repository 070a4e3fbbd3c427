import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DataSourceOptions } from 'typeorm';
import { Config } from '../config/config.js';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';

export const sqliteFile = (config: Config) => join(config.dataDir, 'latchkey.sqlite');

/** Why two kinds: see UnitOfWork. */
export type Access = 'read' | 'write';

export function dataSourceOptions(config: Config, access: Access): DataSourceOptions {
  return {
    type: 'better-sqlite3',
    database: sqliteFile(config),
    // Set on every connection: an existing WAL file is reopened with synchronous = NORMAL, which
    // may forget acknowledged commits when the power goes.
    prepareDatabase: (connection: Database.Database) => {
      connection.pragma('journal_mode = WAL');
      connection.pragma('synchronous = FULL');
      connection.pragma('busy_timeout = 5000');
      connection.pragma('foreign_keys = ON');
      if (access === 'read') connection.pragma('query_only = ON');
    },
    entities,
    migrations,
    namingStrategy: new SnakeNamingStrategy(),
    synchronize: false,
  };
}
