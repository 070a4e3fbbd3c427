import { Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Reads } from '../../platform/database/reads.js';
import { WaitingCommits } from '../../platform/database/topology/waiting-commits.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { TenantLookup } from '../../knowledge-bases/tenant-lookup.js';
import { TenantsModule } from '../../knowledge-bases/tenants.module.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { HybridSearchIndex } from './hybrid-search-index.js';
import { PostgresSearchIndex } from './postgres/postgres-search-index.js';
import { EMBEDDINGS, type Embeddings } from './embeddings.js';
import { createEmbeddings } from './create-embeddings.js';
import type { OpenSearchIndex } from './opensearch/opensearch-index.js';
import { createOpenSearchIndex } from './opensearch/create-opensearch-index.js';
import { OwnIndexes } from './opensearch/own-indexes.js';
import { SearchEngineWatch } from './opensearch/search-engine-watch.js';
import { SearchIndex } from '@latchkey/ranking/search-index';
import { SqliteSearchIndex } from './sqlite/sqlite-search-index.js';
import type { ThreadWrittenIndex } from './thread-written-index.js';
import { VectorIndexing } from './vector-indexing.js';
import { VectorStore } from './vector-store.js';

/** The search engine that has the postings; undefined if the database has them. */
export const SEARCH_ENGINE = Symbol('search engine');
/** The word index of the configured database. */
export const WORD_INDEX = Symbol('word index');

@Module({
  imports: [TenantsModule],
  providers: [
    {
      provide: SEARCH_ENGINE,
      inject: [Config],
      useFactory: ({ SEARCH_URL }: Config) => createOpenSearchIndex(SEARCH_URL),
    },
    {
      provide: SearchEngineWatch,
      inject: [SEARCH_ENGINE],
      useFactory: (engine: OpenSearchIndex | undefined) => new SearchEngineWatch(engine),
    },
    {
      provide: WORD_INDEX,
      inject: [Config, Reads, UnitOfWork, WaitingCommits, TenantLookup, SEARCH_ENGINE],
      useFactory: (
        config: Config,
        reads: Reads,
        unitOfWork: UnitOfWork,
        waitingCommits: WaitingCommits,
        tenants: TenantLookup,
        engine: OpenSearchIndex | undefined,
      ) =>
        config.postgres
          ? new PostgresSearchIndex(
              reads,
              unitOfWork,
              waitingCommits,
              tenants,
              config.SEARCH_TIMEOUT_MS,
              config.postgres,
              engine,
            )
          : new SqliteSearchIndex(config, tenants),
    },
    {
      provide: VectorStore,
      inject: [getDataSourceToken(), UnitOfWork, SEARCH_ENGINE],
      useFactory: (
        dataSource: DataSource,
        unitOfWork: UnitOfWork,
        engine: OpenSearchIndex | undefined,
      ) => new VectorStore(dataSource, unitOfWork, engine),
    },
    {
      provide: OwnIndexes,
      inject: [getDataSourceToken(), SEARCH_ENGINE, WORD_INDEX, VectorStore, Config],
      useFactory: (
        dataSource: DataSource,
        engine: OpenSearchIndex | undefined,
        index: ThreadWrittenIndex,
        vectors: VectorStore,
        config: Config,
      ) => new OwnIndexes(dataSource, engine, index, vectors, config),
    },
    { provide: EMBEDDINGS, inject: [Config], useFactory: createEmbeddings },
    {
      provide: VectorIndexing,
      inject: [EMBEDDINGS, getDataSourceToken(), VectorStore, Jobs],
      useFactory: (
        embeddings: Embeddings | null,
        dataSource: DataSource,
        vectors: VectorStore,
        jobs: Jobs,
      ) => new VectorIndexing(embeddings, dataSource, vectors, jobs),
    },
    {
      provide: SearchIndex,
      inject: [Config, WORD_INDEX, EMBEDDINGS, Metrics, TenantLookup, VectorStore, VectorIndexing],
      useFactory: async (
        config: Config,
        index: SearchIndex,
        embeddings: Embeddings | null,
        metrics: Metrics,
        tenants: TenantLookup,
        vectors: VectorStore,
        indexing: VectorIndexing,
      ) =>
        new HybridSearchIndex(
          index,
          embeddings,
          config.reranker && new (await import('./reranker.js')).Reranker(config.reranker, metrics),
          tenants,
          vectors,
          indexing,
        ),
    },
  ],
  exports: [SearchIndex, WORD_INDEX, SEARCH_ENGINE, EMBEDDINGS, VectorStore],
})
export class SearchModule {}
