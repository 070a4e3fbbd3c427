import { Module } from '@nestjs/common';
import { SEARCH_ENGINE, SearchModule } from '../../documents/search/search.module.js';
import { OpenSearchIndex } from './opensearch-index.js';
import { OwnIndexes } from './own-indexes.js';
import { SearchEngineWatch } from './search-engine-watch.js';

/** The cluster that SearchModule uses; undefined if SEARCH_URL is not set. */
const cluster = {
  provide: OpenSearchIndex,
  inject: [SEARCH_ENGINE],
  useFactory: (engine: unknown) => (engine instanceof OpenSearchIndex ? engine : undefined),
};

@Module({ imports: [SearchModule], providers: [cluster, SearchEngineWatch, OwnIndexes] })
export class OpenSearchModule {}
