import type Database from 'better-sqlite3';
import type { Passage, SearchQuery } from '../search-index.js';
import { searchPassages } from '../search-passages.js';
import { FORMAT } from './format.js';
import { formatOf, readers } from './index-files.js';
import { SqliteIndexReader } from './sqlite-index-reader.js';
import { Unsound } from './unsound.js';
import { told } from './worker-answer.js';

export interface SearchRequest {
  readonly query: SearchQuery;
  /** Whether an index that is still being made anew will do. */
  readonly unfinished: boolean;
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
  if (format !== FORMAT && !(unfinished && format === -FORMAT)) throw new Unsound();
  const reader = new SqliteIndexReader(connection, query.kbId);
  indexReaders.set(connection, reader);
  return reader;
}

export default told((request: SearchRequest): Promise<Passage[]> =>
  readers.use(request.query.kbId, (connection) =>
    searchPassages(readerOf(connection, request), request.query),
  ),
);
