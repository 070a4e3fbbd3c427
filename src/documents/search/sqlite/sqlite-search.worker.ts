import { type Cancellable, isCancelled } from '../../../platform/jobs/cancellation.js';
import { serializeErrors } from '../../../platform/jobs/worker-answer.js';
import { SearchDeadline, SearchInterruptedError } from '@latchkey/ranking/search-deadline';
import type { SearchQuery, SearchResult } from '@latchkey/ranking/search-index';
import { searchPassages } from '@latchkey/ranking/search-passages';
import { IndexCorruptError } from './index-corrupt-error.js';
import { engine, readers } from './index-files.js';
import { readState } from './index-format.js';
import { StoredIndexReader } from '../index-reader.js';
import { getStore } from './sqlite-index-store.js';

export interface SearchRequest {
  readonly query: Omit<SearchQuery, 'signal'>;
  /** Whether to search an index even while it is being rebuilt. */
  readonly allowRebuilding: boolean;
  readonly timeoutMs: number;
}

/** Open files whose state was checked. */
const usable = new WeakSet<object>();

export default serializeErrors((request: Cancellable<SearchRequest>): Promise<SearchResult> =>
  readers.use(request.query.kbId, async (file) => {
    const { query, allowRebuilding, timeoutMs, cancelled } = request;
    if (!usable.has(file)) {
      const state = readState(file);
      if (state !== 'complete' && !(state === 'rebuilding' && allowRebuilding)) {
        throw new IndexCorruptError();
      }
      usable.add(file);
    }
    const store = getStore(file, query.kbId);
    const deadline = new SearchDeadline(timeoutMs, () => isCancelled(cancelled));
    store.begin(deadline);
    try {
      const reader = new StoredIndexReader(
        store,
        query.kbId,
        query.scope,
        engine?.createReader(query.kbId, deadline),
      );
      return await searchPassages(reader, query, deadline);
    } catch (error) {
      if (!(error instanceof SearchInterruptedError)) throw error;
      return { passages: [], partial: true, terms: [] };
    }
  }),
);
