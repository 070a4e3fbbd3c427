import { readFile, rm } from 'node:fs/promises';
import type { Database } from 'better-sqlite3';
import type { Config } from '../platform/config/config.js';
import { contentFile, FILES } from '../documents/contents/file-content-store.js';

interface ContentRow {
  readonly key: string;
  readonly document_id: string;
}

/**
 * Copies the originals of documents that are files in DATA_DIR into a database that nobody else writes, so
 * that it has all of them. It continues after an interruption.
 *
 * @returns how many there are no more
 */
export async function takeInFiles(
  database: Database,
  { DATA_DIR }: Config,
  files: 'keep' | 'remove',
): Promise<number> {
  // The database of an earlier version has no such files.
  if (!hasTable(database)) return 0;
  const rows = database
    .prepare<[string], ContentRow>(
      `SELECT key, document_id FROM stored_contents WHERE store = ? AND document_id IS NOT NULL`,
    )
    .all(FILES);
  const insert = database.prepare(
    'INSERT OR REPLACE INTO document_contents (document_id, content) VALUES (?, ?)',
  );
  let missing = 0;
  const remove = database.prepare('DELETE FROM stored_contents WHERE key = ?');
  for (const { key, document_id: documentId } of rows) {
    const file = contentFile(DATA_DIR, key);
    const content = await readFile(file).catch(ignoreMissing);
    // The document was deleted or replaced since the snapshot.
    if (!content) {
      missing++;
      continue;
    }
    database.transaction(() => {
      insert.run(documentId, content);
      remove.run(key);
    })();
    if (files === 'remove') await rm(file, { force: true });
  }
  database.prepare('DELETE FROM stored_contents WHERE store = ?').run(FILES);
  return missing;
}

const hasTable = (database: Database): boolean =>
  database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'stored_contents'`).get() !==
  undefined;

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
