import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { questionTerms } from '../question-terms.js';
import type { Passage, SearchQuery } from '../search-index.js';

/**
 * One FTS5 index file per knowledge base, beside the database: word statistics and cost are a
 * knowledge base's own, and writing an index holds up no other writing. The index holds nothing
 * that could not be made again: the chunks in the database are the truth, and every search joins
 * with them. It keeps the text it was made from, because FTS5 needs it to take a deleted passage
 * out of its word statistics.
 */

const { directory, database } = workerData as { directory: string; database: string };

const OPEN_LIMIT = 64;
const OPEN_TIMEOUT_MS = 5000;
const OPEN_RETRY_MS = 20;
/** Found chunks that may turn out to be deleted or replaced meanwhile. */
const SLACK = 50;

const CREATE = `CREATE VIRTUAL TABLE IF NOT EXISTS passages USING fts5(
  title, heading, text, tokenize='porter unicode61 remove_diacritics 2')`;

const INSERT = `INSERT INTO passages (rowid, title, heading, text)
  SELECT c.number, d.title, COALESCE(c.heading, ''), c.text
  FROM live.chunks c JOIN live.documents d ON d.id = c.document_id AND d.state = 'active'
  WHERE c.number NOT IN (SELECT id FROM passages_docsize) AND`;

const HITS = `SELECT rowid AS number, -bm25(passages, 2.0, 1.0, 1.0) AS score
  FROM passages WHERE passages MATCH ? ORDER BY score DESC, rowid LIMIT ?`;

const PASSAGE = `
  SELECT c.id AS chunkId, d.id AS documentId, d.title AS documentTitle,
    d.external_id AS externalId, d.source_url AS sourceUrl, d.metadata, c.heading, c.page, c.text
  FROM live.chunks c
  JOIN live.documents d ON d.id = c.document_id AND d.version = c.version AND d.state = 'active'
  WHERE c.number = ?`;

type Row = Omit<Passage, 'metadata' | 'score'> & { metadata: string };

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
  const deadline = Date.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    try {
      return openWriter(kbId);
    } catch (error) {
      // Nothing is lost with a damaged one: it is made anew from the chunks.
      if (hasCode(error, /^SQLITE_(CORRUPT|NOTADB)/)) removeFiles(kbId);
      // Two that make a new file at once may be in each other's way, which SQLite tells at once.
      else if (!hasCode(error, /^SQLITE_(BUSY|LOCKED)/)) throw error;
      if (Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_RETRY_MS);
    }
  }
});

const readers = new Connections((kbId) => {
  // Makes or mends the index, once in a worker's life.
  writers.get(kbId);
  const connection = new Database(fileOf(kbId), { readonly: true });
  connection.pragma('busy_timeout = 10000');
  connection.prepare('ATTACH ? AS live').run(database);
  return connection;
});

function openWriter(kbId: string): Database.Database {
  const connection = new Database(fileOf(kbId));
  try {
    connection.pragma('journal_mode = WAL');
    // Losing the last moments of an index when the power goes is mended by the next repair().
    connection.pragma('synchronous = NORMAL');
    connection.pragma('busy_timeout = 10000');
    connection.prepare('ATTACH ? AS live').run(database);
    repair(connection, kbId);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

const hasCode = (error: unknown, code: RegExp) =>
  error instanceof Database.SqliteError && code.test(error.code);

function removeFiles(kbId: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(fileOf(kbId) + suffix, { force: true });
}

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

/** The error of a worker's own class does not survive the way back: its code is what counts. */
function told<Request, Result>(work: (request: Request) => Result) {
  return (request: Request): { result: Result } | { code: string; message: string } => {
    try {
      return { result: work(request) };
    } catch (error) {
      if (error instanceof Database.SqliteError)
        return { code: error.code, message: error.message };
      throw error;
    }
  };
}

export const add = told((request: { kbId: string; documentId: string; version: number }) => {
  const connection = writers.get(request.kbId);
  transaction(connection, () => {
    connection
      .prepare(`${INSERT} c.document_id = ? AND c.version = ?`)
      .run(request.documentId, request.version);
  });
});

export const remove = told((request: { kbId: string; chunkNumbers: number[] }) => {
  writers
    .get(request.kbId)
    .prepare('DELETE FROM passages WHERE rowid IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(request.chunkNumbers));
});

export const drop = told(({ kbId }: { kbId: string }) => {
  writers.close(kbId);
  readers.close(kbId);
  removeFiles(kbId);
});

export const search = told(({ kbId, question, limit }: SearchQuery): Passage[] => {
  const terms = questionTerms(question);
  if (terms.length === 0) return [];
  // Quoted, a term is a word and never an operator.
  const match = terms.map((term) => `"${term}"`).join(' OR ');
  const connection = readers.get(kbId);
  const hits = connection.prepare<unknown[], { number: number; score: number }>(HITS);
  const passage = connection.prepare<[number], Row>(PASSAGE);
  for (let asked = limit + SLACK; ; asked *= 20) {
    const found = hits.all(match, asked);
    const passages = live(found, passage, limit);
    // Too many of them may have been of deleted documents.
    if (passages.length === limit || found.length < asked) return passages;
  }
});

function live(
  hits: readonly { number: number; score: number }[],
  passage: Database.Statement<[number], Row>,
  limit: number,
): Passage[] {
  const passages: Passage[] = [];
  for (const { number, score } of hits) {
    const row = passage.get(number);
    if (row) {
      passages.push({ ...row, score, metadata: JSON.parse(row.metadata) as Passage['metadata'] });
    }
    if (passages.length === limit) break;
  }
  return passages;
}
