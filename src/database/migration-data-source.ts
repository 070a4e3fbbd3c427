import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { dataSourceOptions } from './data-source-options.js';

/** What the TypeORM command line works on: the database that the environment names. */
export default new DataSource(dataSourceOptions(Config.fromEnvironment(process.env), 'migrate'));
