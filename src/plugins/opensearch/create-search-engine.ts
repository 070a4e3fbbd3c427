import { readClusterAddress } from './cluster-address.js';
import { OpenSearchCluster } from './opensearch-cluster.js';
import { OpenSearchIndex } from './opensearch-index.js';

/**
 * @param urls the value of SEARCH_URL
 * @param pause 8 bytes shared by threads, to remember that the cluster is silent
 */
export const createSearchEngine = (
  urls: readonly string[],
  pause = new SharedArrayBuffer(8),
): OpenSearchIndex =>
  new OpenSearchIndex(new OpenSearchCluster(readClusterAddress(urls), new Float64Array(pause)));
