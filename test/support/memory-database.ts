import { entities } from '../../src/entities.js';
import type { Entities } from '../../src/platform/database/data-source-options.js';
import { EngineDataSource } from '../../src/platform/database/engine-data-source.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { SnakeNamingStrategy } from '../../src/platform/database/snake-naming-strategy.js';

/** An empty SQLite database in memory, with all tables and the given entities of plugins; it is not open yet. */
export const memoryDatabase = (...ofPlugins: Entities): EngineDataSource =>
  new EngineDataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [...entities, ...ofPlugins],
    namingStrategy: new SnakeNamingStrategy(),
    migrations,
    migrationsRun: true,
  });
