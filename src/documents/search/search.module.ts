import { Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { SearchStatus } from '../../platform/health/search-status.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Reads } from '../../platform/database/reads.js';
import { WaitingCommits } from '../../platform/database/topology/waiting-commits.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { FairSharesModule } from '../../knowledge-bases/fair-shares.module.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { HybridSearchIndex } from './hybrid-search-index.js';
import { PostgresSearchIndex } from './postgres/postgres-search-index.js';
import { EMBEDDINGS, type Embeddings } from './embeddings.js';
import { createEmbeddings } from './create-embeddings.js';
import { type SearchEngine, type SearchEngineSource } from './engine/search-engine.js';
import { RunningPlugins } from '../../platform/plugins/plugin.js';
import { SearchIndex } from '@latchkey/ranking/search-index';
import { SqliteSearchIndex } from './sqlite/sqlite-search-index.js';
import { SentenceVectors } from './sentence-vectors.js';
import { VectorIndexing } from './vector-indexing.js';
import { VectorStore } from './vector-store.js';

/** What threads need to create the search engine. */
const ENGINE_SOURCE = Symbol('search engine source');
/** The search engine that has the postings; undefined if the database has them. */
export const SEARCH_ENGINE = Symbol('search engine');
/** The word index of the configured database. */
export const WORD_INDEX = Symbol('word index');

@Module({
  imports: [FairSharesModule],
  providers: [
    {
      provide: ENGINE_SOURCE,
      inject: [Config, RunningPlugins],
      useFactory: ({ SEARCH_URL: urls }: Config, { searchEngine }: RunningPlugins) =>
        urls.length > 0 && searchEngine
          ? { module: searchEngine.module, urls, pause: new SharedArrayBuffer(8) }
          : undefined,
    },
    {
      provide: SEARCH_ENGINE,
      inject: [ENGINE_SOURCE, RunningPlugins],
      useFactory: (source: SearchEngineSource | undefined, { searchEngine }: RunningPlugins) =>
        source && searchEngine?.create(source.urls, source.pause),
    },
    {
      provide: WORD_INDEX,
      inject: [
        Config,
        Reads,
        UnitOfWork,
        WaitingCommits,
        FairShareLookup,
        SEARCH_ENGINE,
        ENGINE_SOURCE,
      ],
      useFactory: (
        config: Config,
        reads: Reads,
        unitOfWork: UnitOfWork,
        waitingCommits: WaitingCommits,
        fairShares: FairShareLookup,
        engine: SearchEngine | undefined,
        source: SearchEngineSource | undefined,
      ) =>
        config.postgres
          ? new PostgresSearchIndex(
              reads,
              unitOfWork,
              waitingCommits,
              fairShares,
              config.SEARCH_TIMEOUT_MS,
              config.postgres,
              engine,
              source,
            )
          : new SqliteSearchIndex(config, fairShares, source),
    },
    {
      provide: VectorStore,
      inject: [getDataSourceToken(), UnitOfWork, SEARCH_ENGINE],
      useFactory: (
        dataSource: DataSource,
        unitOfWork: UnitOfWork,
        engine: SearchEngine | undefined,
      ) => new VectorStore(dataSource, unitOfWork, engine),
    },
    {
      provide: EMBEDDINGS,
      inject: [Config, SearchStatus],
      useFactory: async (config: Config, status: SearchStatus) => {
        const embeddings = await createEmbeddings(config);
        status.embeddings = embeddings;
        return embeddings;
      },
    },
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
      provide: SentenceVectors,
      inject: [EMBEDDINGS, VectorStore, FairShareLookup],
      useFactory: (
        embeddings: Embeddings | null,
        vectors: VectorStore,
        fairShares: FairShareLookup,
      ) => new SentenceVectors(embeddings, vectors, fairShares),
    },
    {
      provide: SearchIndex,
      inject: [
        Config,
        WORD_INDEX,
        EMBEDDINGS,
        Metrics,
        FairShareLookup,
        VectorStore,
        VectorIndexing,
      ],
      useFactory: async (
        config: Config,
        index: SearchIndex,
        embeddings: Embeddings | null,
        metrics: Metrics,
        fairShares: FairShareLookup,
        vectors: VectorStore,
        indexing: VectorIndexing,
      ) =>
        new HybridSearchIndex(
          index,
          embeddings,
          config.reranker && new (await import('./reranker.js')).Reranker(config.reranker, metrics),
          fairShares,
          vectors,
          indexing,
        ),
    },
  ],
  exports: [SearchIndex, WORD_INDEX, SEARCH_ENGINE, EMBEDDINGS, VectorStore, SentenceVectors],
})
export class SearchModule {}
