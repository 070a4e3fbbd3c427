import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { load as loadVectors } from 'sqlite-vec';
import { IndexCorruptError } from './index-corrupt-error.js';

/**
 * One FTS5 index file per knowledge base, beside the database: word statistics and cost are a
 * knowledge base's own, and writing an index holds up no other writing. The index holds nothing
 * that could not be made again: the chunks in the database are the truth, and every search joins
 * with them.
 */

export interface IndexFiles {
  readonly directory: string;
  readonly database: string;
  readonly hasVectors: boolean;
}

const { directory, database, hasVectors } = workerData as IndexFiles;

/** Written only to take the lock of an index that may not have a table yet. */
const LOCK = 1;
const OPEN_LIMIT = 64;
const OPEN_TIMEOUT_MS = 5000;
const OPEN_RETRY_MS = 20;

interface Opened {
  readonly connection: Database.Database;
  readonly file: string | undefined;
}

/** Keeps the connections used last. */
class Connections {
  private readonly open = new Map<string, Opened>();

  constructor(private readonly connect: (kbId: string) => Database.Database) {}

  private get(kbId: string): Database.Database {
    const known = this.open.get(kbId);
    // Another worker or process may have removed it, and made it anew.
    if (known && known.file !== identityOf(kbId)) this.close(kbId);
    const opened = this.open.get(kbId) ?? this.connectTo(kbId);
    this.open.delete(kbId);
    this.open.set(kbId, opened);
    for (const oldest of this.open.keys()) {
      if (this.open.size <= OPEN_LIMIT) break;
      this.close(oldest);
    }
    return opened.connection;
  }

  close(kbId: string): void {
    this.open.get(kbId)?.connection.close();
    this.open.delete(kbId);
  }

  /** Lets `work` use an index; one that turns out to be damaged is removed, to be made anew. */
  async use<T>(kbId: string, work: (connection: Database.Database) => T | Promise<T>): Promise<T> {
    const file = identityOf(kbId);
    try {
      return await work(this.get(kbId));
    } catch (error) {
      const isDamaged = hasCode(error, /^SQLITE_(CORRUPT|NOTADB)/);
      // Taken away meanwhile by one that found it damaged: then any error may come of that.
      const isGone = hasCode(error, /^SQLITE_/) && file !== identityOf(kbId);
      if (!isDamaged && !isGone) throw error;
      this.close(kbId);
      if (!isGone) removeFiles(kbId);
      throw new IndexCorruptError();
    }
  }

  private connectTo(kbId: string): Opened {
    const connection = this.connect(kbId);
    return { connection, file: identityOf(kbId) };
  }
}

const fileOf = (kbId: string) => join(directory, `${kbId}.sqlite`);

/** Tells a file from another that took its place: inodes are given again. */
function identityOf(kbId: string): string | undefined {
  const found = statSync(fileOf(kbId), { throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeMs}`;
}

/** They write to indexes of the current format, be they finished or not. */
export const writers = new Connections((kbId) => {
  mkdirSync(directory, { recursive: true });
  const deadline = Date.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    try {
      return openWriter(kbId);
    } catch (error) {
      // Two that make a new file at once may be in each other's way, which SQLite tells at once.
      if (!hasCode(error, /^SQLITE_(BUSY|LOCKED)/) || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_RETRY_MS);
    }
  }
});

/** They need no more than to read: searches go on when nothing can be written. */
export const readers = new Connections((kbId) => {
  if (identityOf(kbId) === undefined) throw new IndexCorruptError();
  return prepared(new Database(fileOf(kbId), { readonly: true }), (connection) => {
    if (hasVectors) loadVectors(connection);
  });
});

export const formatOf = (connection: Database.Database): unknown =>
  connection.pragma('user_version', { simple: true });

/** Whether a knowledge base has an index to keep: what comes late for a deleted one makes none. */
export function isActive(kbId: string): boolean {
  live ??= new Database(database, { readonly: true });
  return (
    live.prepare(`SELECT 1 FROM knowledge_bases WHERE id = ? AND state = 'active'`).get(kbId) !==
    undefined
  );
}

let live: Database.Database | undefined;

export const hasFile = (kbId: string): boolean => identityOf(kbId) !== undefined;

/** Ends an index's life. */
export function dropIndex(kbId: string): void {
  writers.close(kbId);
  removeFiles(kbId);
}

/**
 * Locks the index by its first statement, before anything is read from the database, which is not
 * locked at all (BEGIN IMMEDIATE would lock both).
 */
export function transaction<T>(connection: Database.Database, work: () => T): T {
  return connection.transaction(() => {
    connection.pragma(`application_id = ${LOCK}`);
    return work();
  })();
}

const openWriter = (kbId: string): Database.Database =>
  prepared(new Database(fileOf(kbId)), (connection) => {
    connection.pragma('journal_mode = WAL');
    // Losing the last moments of an index when the power goes is mended by the next repair.
    connection.pragma('synchronous = NORMAL');
  });

function prepared(
  connection: Database.Database,
  prepare: (connection: Database.Database) => void,
): Database.Database {
  try {
    connection.pragma('busy_timeout = 10000');
    prepare(connection);
    connection.prepare('ATTACH ? AS live').run(database);
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
