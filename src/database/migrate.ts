import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { Config, ConfigurationError } from '../config/config.js';
import { dataSourceOptions, sqliteFile } from './data-source-options.js';

const LOCK_TIMEOUT_MS = 60_000;

/** Brings the schema up to date, one process at a time; the others wait and find it done. */
export async function migrate(config: Config): Promise<void> {
  mkdirSync(config.dataDir, { recursive: true });
  // TypeORM takes no lock of its own: two starters would both run what is pending.
  const lock = new Database(join(config.dataDir, 'migration.lock'), { timeout: LOCK_TIMEOUT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    const dataSource = new DataSource(dataSourceOptions(config, 'write'));
    try {
      await dataSource.initialize();
      await dataSource.runMigrations({ transaction: 'all' });
    } finally {
      if (dataSource.isInitialized) await dataSource.destroy();
    }
  } catch (error) {
    throw asStartProblem(error, sqliteFile(config));
  } finally {
    lock.close();
  }
}

/** A damaged file must be told to the operator and never be made anew. */
function asStartProblem(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].some((prefix) => code.startsWith(prefix))
    ? new ConfigurationError(`${file} is not a readable database; restore it from a backup`)
    : error;
}
