import { Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { JobLock } from '../../platform/jobs/job-lock.js';
import { Reads } from '../../platform/database/reads.js';
import { WaitingCommits } from '../../platform/database/topology/waiting-commits.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { TenantLookup } from '../../knowledge-bases/tenant-lookup.js';
import { TenantsModule } from '../../knowledge-bases/tenants.module.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { HybridSearchIndex } from './hybrid-search-index.js';
import { PostgresSearchIndex } from './postgres/postgres-search-index.js';
import { EMBEDDINGS, type Embeddings } from './embeddings.js';
import { embeddingsOf } from './embeddings-of-config.js';
import { SearchIndex } from '@latchkey/ranking/search-index';
import { SqliteSearchIndex } from './sqlite/sqlite-search-index.js';

/** The index of words of the configured database. */
const WORD_INDEX = Symbol('word index');

@Module({
  imports: [TenantsModule],
  providers: [
    {
      provide: WORD_INDEX,
      inject: [Config, Reads, UnitOfWork, WaitingCommits, TenantLookup],
      useFactory: (
        config: Config,
        reads: Reads,
        unitOfWork: UnitOfWork,
        waitingCommits: WaitingCommits,
        tenants: TenantLookup,
      ) =>
        config.postgres
          ? new PostgresSearchIndex(
              reads,
              unitOfWork,
              waitingCommits,
              tenants,
              config.SEARCH_TIMEOUT_MS,
              config.postgres,
            )
          : new SqliteSearchIndex(config, tenants),
    },
    { provide: EMBEDDINGS, inject: [Config], useFactory: embeddingsOf },
    {
      provide: SearchIndex,
      inject: [
        Config,
        WORD_INDEX,
        EMBEDDINGS,
        Metrics,
        TenantLookup,
        getDataSourceToken(),
        UnitOfWork,
        JobLock,
      ],
      useFactory: async (
        config: Config,
        index: SearchIndex,
        embeddings: Embeddings | null,
        metrics: Metrics,
        tenants: TenantLookup,
        dataSource: DataSource,
        unitOfWork: UnitOfWork,
        jobs: JobLock,
      ) =>
        new HybridSearchIndex(
          index,
          embeddings,
          config.reranker && new (await import('./reranker.js')).Reranker(config.reranker, metrics),
          tenants,
          dataSource,
          unitOfWork,
          jobs,
        ),
    },
  ],
  exports: [SearchIndex, EMBEDDINGS],
})
export class SearchModule {}
