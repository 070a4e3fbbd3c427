import 'reflect-metadata';
import { Config } from '../config/config.js';
import { dataSourceOptions } from './data-source-options.js';
import { EngineDataSource } from './engine-data-source.js';

/** What the TypeORM command line works on: the database that the environment names. */
export default new EngineDataSource(
  dataSourceOptions(Config.fromEnvironment(process.env), 'migrate'),
);
