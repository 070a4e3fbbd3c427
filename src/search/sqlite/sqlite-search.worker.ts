import type Database from 'better-sqlite3';
import { SearchDeadline, SearchInterruptedError } from '../search-deadline.js';
import type { SearchQuery, SearchResult } from '../search-index.js';
import { searchPassages } from '../search-passages.js';
import { FORMAT } from './format.js';
import { IndexCorruptError } from './index-corrupt-error.js';
import { formatOf, readers } from './index-files.js';
import { serializeErrors } from './serialize-errors.js';
import { SqliteIndexReader } from './sqlite-index-reader.js';

export interface SearchRequest {
  readonly query: Omit<SearchQuery, 'signal'>;
  /** Whether an index that is still being made anew will do. */
  readonly unfinished: boolean;
  readonly timeoutMs: number;
  /** Shared memory: not 0 as soon as nobody waits for the answer any more. */
  readonly cancelled: Int32Array;
}

const indexReaders = new WeakMap<Database.Database, SqliteIndexReader>();

/** With its statements prepared, which takes longer than a question to a small index. */
function readerOf(
  connection: Database.Database,
  { query, unfinished }: SearchRequest,
): SqliteIndexReader {
  const known = indexReaders.get(connection);
  if (known) return known;
  const format = formatOf(connection);
  if (format !== FORMAT && !(unfinished && format === -FORMAT)) throw new IndexCorruptError();
  const reader = new SqliteIndexReader(connection, query.kbId);
  indexReaders.set(connection, reader);
  return reader;
}

export default serializeErrors((request: SearchRequest): Promise<SearchResult> =>
  readers.use(request.query.kbId, async (connection) => {
    const reader = readerOf(connection, request);
    const isCancelled = () => Atomics.load(request.cancelled, 0) !== 0;
    const deadline = new SearchDeadline(request.timeoutMs, isCancelled);
    reader.begin(deadline);
    try {
      return await searchPassages(reader, request.query, deadline);
    } catch (error) {
      if (!(error instanceof SearchInterruptedError)) throw error;
      return { passages: [], partial: true };
    }
  }),
);
