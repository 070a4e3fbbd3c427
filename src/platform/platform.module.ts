import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { Config } from './config/config.js';
import { dataSourceOptions, type Entities } from './database/data-source-options.js';
import { EngineDataSource } from './database/engine-data-source.js';
import { PostgresUnitOfWork } from './database/postgres-unit-of-work.js';
import { PrimaryReads, Reads } from './database/reads.js';
import { SqliteUnitOfWork } from './database/sqlite-unit-of-work.js';
import { WaitingCommits } from './database/topology/waiting-commits.js';
import { UnitOfWork } from './database/unit-of-work.js';
import { DeclaredProviders } from './discovery/declared-providers.js';
import { HealthController } from './health/health.controller.js';
import { SearchStatus } from './health/search-status.js';
import { ConnectionDrain } from './http/connection-drain.js';
import { SecurityTxtController } from './http/security-txt.controller.js';
import { Idempotency } from './idempotency/idempotency.js';
import { JobLock } from './jobs/job-lock.js';
import { Jobs } from './jobs/jobs.js';
import { RetentionJob } from './jobs/retention-job.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsExport } from './metrics/metrics-export.js';
import { Peppers } from './peppers/peppers.js';
import { type LoadedPlugin, RunningPlugins } from './plugins/plugin.js';
import { PostgresReportQueries } from './reports/postgres-report-queries.js';
import { ReportQueries } from './reports/report-queries.js';
import { SqliteReportQueries } from './reports/sqlite-report-queries.js';
import { TelemetryExport } from './telemetry/telemetry-export.js';

/** Infrastructure used by all features. */
@Global()
@Module({})
export class PlatformModule {
  /** The module for operator commands, which do not load all features and do not remove expired data. */
  static forCommand(config: Config, entities: Entities, plugins: readonly LoadedPlugin[]) {
    const providers = [
      { provide: Config, useValue: config },
      {
        provide: WaitingCommits,
        inject: [getDataSourceToken()],
        useFactory: (dataSource: DataSource) => new WaitingCommits(dataSource),
      },
      {
        provide: UnitOfWork,
        inject: [getDataSourceToken(), WaitingCommits],
        useFactory: (dataSource: DataSource, waitingCommits: WaitingCommits) =>
          config.postgres
            ? new PostgresUnitOfWork(dataSource, waitingCommits)
            : new SqliteUnitOfWork(
                new EngineDataSource(dataSourceOptions(config, 'write', entities)),
              ),
      },
      {
        provide: Reads,
        inject: [getDataSourceToken()],
        useFactory: (primary: DataSource) =>
          plugins
            .map(({ createReads }) => createReads?.(config, entities, primary))
            .find((reads) => reads !== undefined) ?? new PrimaryReads(primary),
      },
      { provide: RunningPlugins, useValue: new RunningPlugins(plugins) },
      JobLock,
      Jobs,
      Metrics,
      SearchStatus,
    ];
    return {
      module: PlatformModule,
      imports: [
        DiscoveryModule,
        TypeOrmModule.forRootAsync({
          // The schema was migrated before the application was created.
          useFactory: () => ({ ...dataSourceOptions(config, 'read', entities), retryAttempts: 0 }),
          dataSourceFactory: (options) =>
            Promise.resolve(new EngineDataSource(options as DataSourceOptions)),
        }),
      ],
      providers: [...providers, MetricsExport],
      exports: [
        ...[DiscoveryModule, Config, UnitOfWork, WaitingCommits, Reads, RunningPlugins],
        ...[JobLock, Jobs, Metrics, SearchStatus],
      ],
    } satisfies DynamicModule;
  }

  static forRoot(
    config: Config,
    entities: Entities,
    plugins: readonly LoadedPlugin[],
  ): DynamicModule {
    const { providers, exports, ...rest } = PlatformModule.forCommand(config, entities, plugins);
    return {
      ...rest,
      controllers: [HealthController, SecurityTxtController],
      providers: [
        ...providers,
        DeclaredProviders,
        RetentionJob,
        ConnectionDrain,
        Idempotency,
        { provide: Peppers, useFactory: () => Peppers.load(config) },
        {
          provide: ReportQueries,
          inject: [Reads],
          useFactory: (reads: Reads) =>
            config.postgres ? new PostgresReportQueries(reads) : new SqliteReportQueries(config),
        },
        TelemetryExport,
      ],
      exports: [...exports, Idempotency, Peppers, ReportQueries],
    };
  }
}
