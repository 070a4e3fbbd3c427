import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { PEPPER_FILE } from '../platform/peppers/peppers.js';
import { Config } from '../platform/config/config.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { sqliteFile } from '../platform/database/data-source-options.js';
import { makePrivate } from '../platform/database/private-files.js';
import type { Plugin } from '../platform/plugins/plugin.js';
import { takeInFiles } from './take-in-files.js';

/**
 * A backup is one SQLite file: a snapshot of the database, including the originals of documents that are
 * files, and a table with the other files of DATA_DIR that cannot be rebuilt (search indexes can). The
 * table is written last: a file without it is an incomplete backup.
 */
const FILES_TABLE = 'latchkey_backup';
const FILES = [PEPPER_FILE];

/** Only the owner can read a backup, because it contains the pepper and every document. */
const MODE = 0o600;

interface BackedUpFile {
  readonly name: string;
  readonly content: Buffer;
}

interface Backup {
  /** The names of the other files in it. */
  readonly files: readonly string[];
  /** The number of originals that were removed before they could be read. */
  readonly missingOriginals: number;
}

/**
 * Writes a backup of the embedded database, while services may be using it.
 *
 * @throws ConfigurationError for what the operator has to change
 */
export async function backUp(config: Config, target: string): Promise<Backup> {
  requireEmbedded(config, 'use pg_dump instead');
  if (!existsSync(sqliteFile(config))) {
    throw new ConfigurationError(`There is no database in ${config.DATA_DIR}`);
  }
  let files: BackedUpFile[] = [];
  let missingOriginals = 0;
  await writeAtomically(target, async (draft) => {
    await copyDatabase(sqliteFile(config), draft);
    // This comes after the copy, because a pepper is written before the first key that uses it.
    files = FILES.filter((name) => existsSync(join(config.DATA_DIR, name))).map((name) => ({
      name,
      content: readFileSync(join(config.DATA_DIR, name)),
    }));
    const copy = new Database(draft);
    try {
      // WAL mode is switched off, so that the backup is one file.
      copy.pragma('journal_mode = DELETE');
      missingOriginals = await takeInFiles(copy, config, 'keep');
      copy.exec(`CREATE TABLE ${FILES_TABLE} (name TEXT PRIMARY KEY, content BLOB NOT NULL)`);
      const insert = copy.prepare(`INSERT INTO ${FILES_TABLE} VALUES (@name, @content)`);
      for (const file of files) insert.run(file);
      requireIntegrity(copy, sqliteFile(config));
    } finally {
      copy.close();
    }
  });
  return { files: files.map(({ name }) => name), missingOriginals };
}

/**
 * Restores the database and the other files of DATA_DIR from a backup.
 *
 * @param plugins all that may have tables in it, whether they run or not
 * @throws ConfigurationError when DATA_DIR has a database, or `source` is no complete backup
 */
export async function restore(
  config: Config,
  source: string,
  plugins: readonly Plugin[],
): Promise<void> {
  requireEmbedded(config, 'use pg_restore instead');
  requireNoDatabase(config);
  if (!existsSync(source)) throw new ConfigurationError(`There is no file ${source}`);
  makePrivate(config.DATA_DIR);
  await writeAtomically(sqliteFile(config), async (draft) => {
    const files = await unpack(source, draft);
    const copy = new Database(draft);
    try {
      for (const plugin of plugins) plugin.afterRestore?.(copy);
    } finally {
      copy.close();
    }
    for (const { name, content } of files) restoreFile(join(config.DATA_DIR, name), content);
  });
}

function requireEmbedded(config: Config, instead: string): void {
  if (config.postgres) {
    throw new ConfigurationError(
      `This command is for the embedded database, but DATABASE_URL is set: ${instead}`,
    );
  }
}

/**
 * Refuses a DATA_DIR with a database; with a WAL, which SQLite would replay into the restored database; or
 * with search indexes, whose passage numbers would refer to other passages.
 */
function requireNoDatabase(config: Config): void {
  const file = sqliteFile(config);
  const found = [file, `${file}-wal`, `${file}-shm`, join(config.DATA_DIR, 'search')].find((path) =>
    existsSync(path),
  );
  if (found !== undefined) {
    throw new ConfigurationError(
      `A database already exists: ${found}; stop its service and move ${config.DATA_DIR} away, or use another DATA_DIR`,
    );
  }
}

async function copyDatabase(source: string, target: string): Promise<void> {
  closeSync(openSync(target, 'wx', MODE));
  const connection = new Database(source, { readonly: true });
  try {
    // Without a read transaction, SQLite restarts the copy when another process writes.
    connection.exec('BEGIN');
    connection.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
    await connection.backup(target);
  } finally {
    connection.close();
  }
}

/** Copies the database out of a backup, and returns the other files of the backup. */
async function unpack(source: string, draft: string): Promise<BackedUpFile[]> {
  let copy: Database.Database | undefined;
  try {
    await copyDatabase(source, draft);
    copy = new Database(draft);
    const files = copy.prepare<[], BackedUpFile>(`SELECT name, content FROM ${FILES_TABLE}`).all();
    requireIntegrity(copy, source);
    copy.exec(`DROP TABLE ${FILES_TABLE}`);
    return files.filter(({ name }) => FILES.includes(name));
  } catch (error) {
    if (!/^SQLITE_(NOTADB|CORRUPT|ERROR)/.test(readErrorCode(error))) throw error;
    throw new ConfigurationError(`${source} is not a complete backup`);
  } finally {
    copy?.close();
  }
}

function requireIntegrity(connection: Database.Database, source: string): void {
  if (connection.pragma('integrity_check', { simple: true }) !== 'ok') {
    throw new ConfigurationError(`${source} is damaged; nothing was written`);
  }
}

/** @throws ConfigurationError when a different file exists: other keys may depend on its pepper */
function restoreFile(file: string, content: Buffer): void {
  try {
    writeFileSync(file, content, { mode: MODE, flag: 'wx', flush: true });
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error;
    if (!readFileSync(file).equals(content)) {
      throw new ConfigurationError(`${file} already exists with other content; move it away`);
    }
  }
}

/** Writes a draft and links it to its name: the file is complete or missing, and never overwritten. */
async function writeAtomically(
  file: string,
  write: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${process.pid}.draft`;
  try {
    await write(draft);
    linkSync(draft, file);
    flushDirectory(dirname(file));
  } catch (error) {
    if (!(error instanceof Error) || readErrorCode(error) === '') throw error;
    throw new ConfigurationError(
      readErrorCode(error) === 'EEXIST'
        ? `${file} already exists`
        : `${file} could not be written: ${error.message}`,
    );
  } finally {
    for (const suffix of ['', '-journal']) rmSync(draft + suffix, { force: true });
  }
}

function flushDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const readErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
