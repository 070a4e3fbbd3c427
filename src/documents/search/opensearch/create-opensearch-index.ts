import { searchEngineConfig } from '../../../platform/config/search-engine-config.js';
import { OpenSearchCluster } from './opensearch-cluster.js';
import { OpenSearchIndex } from './opensearch-index.js';

/**
 * @param urls the value of SEARCH_URL; without any, undefined is returned
 * @param pause 8 bytes shared by threads, to remember that the cluster is silent
 */
export function createOpenSearchIndex(
  urls: readonly string[],
  pause = new SharedArrayBuffer(8),
): OpenSearchIndex | undefined {
  const config = searchEngineConfig(urls);
  return config && new OpenSearchIndex(new OpenSearchCluster(config, new Float64Array(pause)));
}
