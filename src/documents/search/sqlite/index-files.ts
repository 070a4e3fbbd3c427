import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { ConnectionCache } from './connection-cache.js';
import { IndexCorruptError } from './index-corrupt-error.js';
import { loadSearchEngine, type SearchEngineSource } from '../engine/search-engine.js';
import { hasErrorCode } from './sqlite-error.js';

/**
 * Each knowledge base has its own index file beside the database, so that its word statistics and costs
 * are its own, and writing an index blocks no other write. An index can be rebuilt at any time from the
 * passages in the database, which is attached as `live`.
 */

export interface IndexFiles {
  readonly directory: string;
  readonly database: string;
  /** The search engine; undefined if the files have the postings. */
  readonly engineSource: SearchEngineSource | undefined;
}

const { directory, database, engineSource } = workerData as IndexFiles;

export const engine = loadSearchEngine(engineSource);

const OPEN_TIMEOUT_MS = 5000;
const OPEN_RETRY_MS = 20;

const toPath = (kbId: string) => join(directory, `${kbId}.sqlite`);

/** Changes when a file is replaced; the inode alone may be reused. */
function readIdentity(kbId: string): string | undefined {
  const found = statSync(toPath(kbId), { throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeMs}`;
}

const files = { readIdentity, remove: removeFiles };

/** Connections that write to an index in any state, and create a missing file. */
export const writers = new ConnectionCache(files, (kbId) => {
  mkdirSync(directory, { recursive: true });
  const deadline = Date.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    try {
      return openWriter(kbId);
    } catch (error) {
      // While another process creates the file, SQLite fails immediately instead of waiting.
      if (!hasErrorCode(error, /^SQLITE_(BUSY|LOCKED)/) || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_RETRY_MS);
    }
  }
});

/** Read-only connections, so that searches continue when nothing can be written. */
export const readers = new ConnectionCache(files, (kbId) => {
  if (!hasFile(kbId)) throw new IndexCorruptError();
  return prepare(new Database(toPath(kbId), { readonly: true }), () => undefined);
});

export const hasFile = (kbId: string): boolean => readIdentity(kbId) !== undefined;

let live: Database.Database | undefined;

/** Whether the knowledge base exists; late work for a deleted one must not create an index. */
export function isActive(kbId: string): boolean {
  live ??= new Database(database, { readonly: true });
  return (
    live.prepare(`SELECT 1 FROM knowledge_bases WHERE id = ? AND state = 'active'`).get(kbId) !==
    undefined
  );
}

export function dropIndex(kbId: string): void {
  writers.close(kbId);
  removeFiles(kbId);
}

/**
 * Runs `work` in a transaction that locks the index before anything is read from the database. The
 * lock is taken by a write that always works, even before the first table exists: BEGIN IMMEDIATE
 * would lock the attached database too.
 */
export async function transaction<T>(
  connection: Database.Database,
  work: () => Promise<T>,
): Promise<T> {
  connection.exec('BEGIN');
  try {
    connection.pragma('application_id = 1');
    const result = await work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    // Some errors have already ended the transaction.
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

const openWriter = (kbId: string): Database.Database =>
  prepare(new Database(toPath(kbId)), (connection) => {
    connection.pragma('journal_mode = WAL');
    // A power loss may take the last commits from the index; the next repair restores them.
    connection.pragma('synchronous = NORMAL');
  });

function prepare(
  connection: Database.Database,
  configure: (connection: Database.Database) => void,
): Database.Database {
  try {
    connection.pragma('busy_timeout = 10000');
    configure(connection);
    connection.prepare('ATTACH ? AS live').run(database);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function removeFiles(kbId: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(toPath(kbId) + suffix, { force: true });
}
