import { Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { Config } from '../config/config.js';
import { dataSourceOptions } from './data-source-options.js';
import { EngineDataSource } from './engine-data-source.js';
import { PostgresUnitOfWork } from './postgres-unit-of-work.js';
import { SqliteUnitOfWork } from './sqlite-unit-of-work.js';
import { UnitOfWork } from './unit-of-work.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      // The schema was checked and migrated before the application was made.
      useFactory: (config: Config) => ({ ...dataSourceOptions(config, 'read'), retryAttempts: 0 }),
      // Always called with the options above.
      dataSourceFactory: (options) =>
        Promise.resolve(new EngineDataSource(options as DataSourceOptions)),
    }),
  ],
  providers: [
    {
      provide: UnitOfWork,
      inject: [Config, getDataSourceToken()],
      useFactory: (config: Config, dataSource: DataSource) =>
        config.postgres ? new PostgresUnitOfWork(dataSource) : new SqliteUnitOfWork(config),
    },
  ],
  exports: [UnitOfWork],
})
export class DatabaseModule {}
