import { entities } from '../../src/entities.js';
import { EngineDataSource } from '../../src/platform/database/engine-data-source.js';
import { SnakeNamingStrategy } from '../../src/platform/database/snake-naming-strategy.js';

/** An empty SQLite database in memory with all tables; it is not open yet. */
export const memoryDatabase = (): EngineDataSource =>
  new EngineDataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities,
    namingStrategy: new SnakeNamingStrategy(),
    synchronize: true,
  });
