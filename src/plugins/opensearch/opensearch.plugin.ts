import type { Plugin } from '../../platform/plugins/plugin.js';
import { createSearchEngine } from './create-search-engine.js';
import { OpenSearchModule } from './opensearch.module.js';
import { checkSearchEngine } from './search-engine-check.js';

/** The words and vectors of passages in an OpenSearch cluster, for large installations. */
export const plugin: Plugin = {
  module: OpenSearchModule,
  searchEngine: {
    create: createSearchEngine,
    module: new URL('./create-search-engine.js', import.meta.url).href,
  },
  doctorChecks: [checkSearchEngine],
};
