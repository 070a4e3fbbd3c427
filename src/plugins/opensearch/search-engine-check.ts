import { isSearchUnavailable } from '../../documents/search/engine/search-unavailable-error.js';
import { type Check, ok, problem, warning } from '../../platform/plugins/finding.js';
import { createSearchEngine } from './create-search-engine.js';

const TIMEOUT_MS = 5000;

export const checkSearchEngine: Check = async ({ SEARCH_URL, EMBEDDINGS }) => {
  if (SEARCH_URL.length === 0) return [];
  const engine = createSearchEngine(SEARCH_URL);
  try {
    const state = await engine.state(TIMEOUT_MS);
    const findings =
      EMBEDDINGS === 'off' || (await engine.vectors.isAble(TIMEOUT_MS))
        ? []
        : [
            warning(
              'SEARCH_URL: the cluster has no k-NN plugin: vectors stay in the database, and their codes in the memory of each process.',
            ),
          ];
    if (state === 'up') return [ok('The search engine is up.'), ...findings];
    return [
      ...findings,
      state === 'degraded'
        ? warning(
            'SEARCH_URL: the cluster lacks a shard or its copy, or accepts no writes: documents may wait.',
          )
        : problem(
            'SEARCH_URL: the cluster has no index of passages: start the service once, then npm run search:move -- --to opensearch.',
          ),
    ];
  } catch (error) {
    return [
      problem(
        `SEARCH_URL: ${isSearchUnavailable(error) ? error.message : 'the cluster cannot be asked'}: questions are answered with 503.`,
      ),
    ];
  } finally {
    await engine.close();
  }
};
