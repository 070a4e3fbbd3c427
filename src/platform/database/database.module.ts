import { type DynamicModule, Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { Config } from '../config/config.js';
import { dataSourceOptions, type Entities } from './data-source-options.js';
import { EngineDataSource } from './engine-data-source.js';
import { PostgresUnitOfWork } from './postgres-unit-of-work.js';
import { PrimaryReads, Reads } from './reads.js';
import { ReplicaReads } from './topology/replica-reads.js';
import { WaitingCommits } from './topology/waiting-commits.js';
import { SqliteUnitOfWork } from './sqlite-unit-of-work.js';
import { UnitOfWork } from './unit-of-work.js';

@Global()
@Module({})
export class DatabaseModule {
  static forRoot(entities: Entities): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config],
          // The schema was migrated before the application was created.
          useFactory: (config: Config) => ({
            ...dataSourceOptions(config, 'read', entities),
            retryAttempts: 0,
          }),
          dataSourceFactory: (options) =>
            Promise.resolve(new EngineDataSource(options as DataSourceOptions)),
        }),
      ],
      providers: [
        {
          provide: WaitingCommits,
          inject: [getDataSourceToken()],
          useFactory: (dataSource: DataSource) => new WaitingCommits(dataSource),
        },
        {
          provide: UnitOfWork,
          inject: [Config, getDataSourceToken(), WaitingCommits],
          useFactory: (config: Config, dataSource: DataSource, waitingCommits: WaitingCommits) =>
            config.postgres
              ? new PostgresUnitOfWork(dataSource, waitingCommits)
              : new SqliteUnitOfWork(
                  new EngineDataSource(dataSourceOptions(config, 'write', entities)),
                ),
        },
        {
          provide: Reads,
          inject: [Config, getDataSourceToken()],
          useFactory: (config: Config, primary: DataSource) =>
            config.postgres?.DATABASE_REPLICA_URL === undefined
              ? new PrimaryReads(primary)
              : new ReplicaReads(
                  primary,
                  new EngineDataSource(dataSourceOptions(config, 'replica', entities)),
                ),
        },
      ],
      exports: [UnitOfWork, WaitingCommits, Reads],
    };
  }
}
