import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { questionTerms } from '../question-terms.js';
import type { Passage, SearchQuery } from '../search-index.js';

/**
 * One FTS5 index file per knowledge base, beside the database: word statistics and cost are a
 * knowledge base's own, and writing an index holds up no other writing. The index holds no text
 * and nothing that could not be made again: the chunks in the database are the truth, and every
 * search joins with them.
 */

const { directory, database } = workerData as { directory: string; database: string };

const OPEN_LIMIT = 64;
/** Found chunks that may turn out to be deleted or replaced meanwhile. */
const SLACK = 50;

const CREATE = `CREATE VIRTUAL TABLE IF NOT EXISTS passages USING fts5(
  title, heading, text, content='', contentless_delete=1, tokenize='porter unicode61')`;

const INSERT = `INSERT INTO passages (rowid, title, heading, text)
  SELECT c.number, d.title, COALESCE(c.heading, ''), c.text
  FROM live.chunks c JOIN live.documents d ON d.id = c.document_id
  WHERE c.number NOT IN (SELECT id FROM passages_docsize) AND`;

const SEARCH = `
  WITH hit AS MATERIALIZED (
    SELECT rowid AS number, -bm25(passages, 2.0, 1.0, 1.0) AS score
    FROM passages WHERE passages MATCH ? ORDER BY score DESC LIMIT ?)
  SELECT c.id AS chunkId, d.id AS documentId, d.title AS documentTitle,
    d.external_id AS externalId, d.source_url AS sourceUrl, d.metadata, c.heading, c.page, c.text,
    hit.score
  FROM hit
  JOIN live.chunks c ON c.number = hit.number
  JOIN live.documents d ON d.id = c.document_id AND d.version = c.version AND d.state = 'active'
  ORDER BY hit.score DESC, c.number LIMIT ?`;

/** Keeps the connections used last. */
class Connections {
  private readonly open = new Map<string, Database.Database>();

  constructor(private readonly connect: (kbId: string) => Database.Database) {}

  get(kbId: string): Database.Database {
    const connection = this.open.get(kbId) ?? this.connect(kbId);
    this.close(kbId, false);
    this.open.set(kbId, connection);
    for (const oldest of this.open.keys()) {
      if (this.open.size <= OPEN_LIMIT) break;
      this.close(oldest);
    }
    return connection;
  }

  close(kbId: string, disconnect = true): void {
    if (disconnect) this.open.get(kbId)?.close();
    this.open.delete(kbId);
  }
}

const fileOf = (kbId: string) => join(directory, `${kbId}.sqlite`);

const writers = new Connections((kbId) => {
  mkdirSync(directory, { recursive: true });
  const connection = new Database(fileOf(kbId));
  connection.pragma('journal_mode = WAL');
  // Losing the last moments of an index when the power goes is mended by the next repair().
  connection.pragma('synchronous = NORMAL');
  connection.pragma('busy_timeout = 10000');
  connection.prepare('ATTACH ? AS live').run(database);
  repair(connection, kbId);
  return connection;
});

const readers = new Connections((kbId) => {
  if (!existsSync(fileOf(kbId))) writers.get(kbId);
  const connection = new Database(fileOf(kbId), { readonly: true });
  connection.pragma('busy_timeout = 10000');
  connection.prepare('ATTACH ? AS live').run(database);
  return connection;
});

/** Makes an index equal to the chunks there are: it may be new, lost, or left by a crash. */
function repair(connection: Database.Database, kbId: string): void {
  connection.exec(CREATE);
  transaction(connection, () => {
    connection
      .prepare(
        `DELETE FROM passages WHERE rowid IN (SELECT id FROM passages_docsize
         EXCEPT SELECT number FROM live.chunks WHERE kb_id = ?)`,
      )
      .run(kbId);
    connection.prepare(`${INSERT} c.kb_id = ?`).run(kbId);
  });
}

/**
 * Locks the index by its first statement, before anything is read from the database, which is not
 * locked at all (BEGIN IMMEDIATE would lock both).
 */
function transaction(connection: Database.Database, work: () => void): void {
  connection.transaction(() => {
    connection.prepare(`INSERT INTO passages (passages, rank) VALUES ('automerge', 4)`).run();
    work();
  })();
}

export function add(request: { kbId: string; documentId: string; version: number }): void {
  const connection = writers.get(request.kbId);
  transaction(connection, () => {
    connection
      .prepare(`${INSERT} c.document_id = ? AND c.version = ?`)
      .run(request.documentId, request.version);
  });
}

export function remove(request: { kbId: string; chunkNumbers: number[] }): void {
  writers
    .get(request.kbId)
    .prepare('DELETE FROM passages WHERE rowid IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(request.chunkNumbers));
}

export function drop({ kbId }: { kbId: string }): void {
  writers.close(kbId);
  readers.close(kbId);
  for (const suffix of ['', '-wal', '-shm']) rmSync(fileOf(kbId) + suffix, { force: true });
}

export function search({ kbId, question, limit }: SearchQuery): Passage[] {
  const terms = questionTerms(question);
  if (terms.length === 0) return [];
  // Quoted, a term is a word and never an operator.
  const match = terms.map((term) => `"${term}"`).join(' OR ');
  const rows = readers
    .get(kbId)
    .prepare<unknown[], Omit<Passage, 'metadata'> & { metadata: string }>(SEARCH)
    .all(match, limit + SLACK, limit);
  return rows.map((row) => ({
    ...row,
    metadata: JSON.parse(row.metadata) as Passage['metadata'],
  }));
}
