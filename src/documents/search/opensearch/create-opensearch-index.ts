import { searchEngineConfig } from '../../../platform/config/search-engine-config.js';
import { OpenSearchCluster } from './opensearch-cluster.js';
import { OpenSearchIndex } from './opensearch-index.js';

/**
 * @param urls of SEARCH_URL; undefined where there are none
 * @param pause 8 bytes, by which threads know that the cluster is silent
 */
export function createOpenSearchIndex(
  urls: readonly string[],
  pause = new SharedArrayBuffer(8),
): OpenSearchIndex | undefined {
  const config = searchEngineConfig(urls);
  return config && new OpenSearchIndex(new OpenSearchCluster(config, new Float64Array(pause)));
}
