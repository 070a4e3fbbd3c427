import { searchEngineConfig } from '../../../platform/config/search-engine-config.js';
import { OpenSearchCluster } from './opensearch-cluster.js';
import { OpenSearchIndex } from './opensearch-index.js';

/** @param urls of SEARCH_URL; undefined where there are none */
export function openSearchIndexOf(urls: readonly string[]): OpenSearchIndex | undefined {
  const config = searchEngineConfig(urls);
  return config && new OpenSearchIndex(new OpenSearchCluster(config));
}
