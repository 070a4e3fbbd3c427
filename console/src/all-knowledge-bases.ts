import type { KnowledgeBase } from './api.js';
import { loadAllRows, useLoad } from './load.js';

/** All knowledge bases of the user, by name. */
export function useKnowledgeBases() {
  const loaded = useLoad(
    (api, signal) =>
      loadAllRows<KnowledgeBase>((query) => api.get('/api/v1/kbs', { query, signal })),
    'all knowledge bases',
  );
  return {
    ...loaded,
    value: loaded.value?.toSorted((one, other) => one.name.localeCompare(other.name)),
  };
}
