import 'reflect-metadata';
import { Config } from '../platform/config/config.js';
import { dataSourceOptions } from '../platform/database/data-source-options.js';
import { EngineDataSource } from '../platform/database/engine-data-source.js';
import { listAllEntities } from '../plugins.js';

/** The database that the environment names, for the TypeORM command line. */
export default new EngineDataSource(
  dataSourceOptions(Config.fromEnvironment(process.env), 'migrate', await listAllEntities()),
);
