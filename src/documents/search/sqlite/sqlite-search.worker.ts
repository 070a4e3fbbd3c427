import type Database from 'better-sqlite3';
import { isCancelled } from '../../../platform/jobs/cancellation.js';
import { serializeErrors } from '../../../platform/jobs/worker-answer.js';
import { SearchDeadline, SearchInterruptedError } from '@latchkey/ranking/search-deadline';
import type { SearchQuery, SearchResult } from '@latchkey/ranking/search-index';
import { searchPassages } from '@latchkey/ranking/search-passages';
import { IndexCorruptError } from './index-corrupt-error.js';
import { readers } from './index-files.js';
import { readState } from './index-format.js';
import { SqliteIndexReader } from './sqlite-index-reader.js';

export interface SearchRequest {
  readonly query: Omit<SearchQuery, 'signal'>;
  /** Whether to search an index even while it is being rebuilt. */
  readonly allowRebuilding: boolean;
  readonly timeoutMs: number;
  /** Shared memory: not 0 once the client has disconnected. */
  readonly cancelled: Int32Array;
}

/** Kept with their prepared statements: preparing takes longer than searching a small index. */
const indexReaders = new WeakMap<Database.Database, SqliteIndexReader>();

function readerOf(
  connection: Database.Database,
  { query, allowRebuilding }: SearchRequest,
): SqliteIndexReader {
  const known = indexReaders.get(connection);
  if (known) return known;
  const state = readState(connection);
  if (state !== 'complete' && !(state === 'rebuilding' && allowRebuilding)) {
    throw new IndexCorruptError();
  }
  const reader = new SqliteIndexReader(connection, query.kbId);
  indexReaders.set(connection, reader);
  return reader;
}

export default serializeErrors((request: SearchRequest): Promise<SearchResult> =>
  readers.use(request.query.kbId, async (connection) => {
    const reader = readerOf(connection, request);
    const { timeoutMs, cancelled } = request;
    const deadline = new SearchDeadline(timeoutMs, () => isCancelled(cancelled));
    reader.begin(deadline);
    try {
      return await searchPassages(reader, request.query, deadline);
    } catch (error) {
      if (!(error instanceof SearchInterruptedError)) throw error;
      return { passages: [], partial: true, terms: [], unknown: 0 };
    }
  }),
);
