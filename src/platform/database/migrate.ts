import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DataSource, MigrationExecutor, QueryRunner } from 'typeorm';
import { Config } from '../config/config.js';
import { ConfigurationError } from '../config/configuration-error.js';
import { dataSourceOptions, sqliteFile } from './data-source-options.js';
import { EngineDataSource } from './engine-data-source.js';
import { makePrivate } from './private-files.js';
import { requireSupportedServer } from './server-version.js';
import { asStartProblem, DamagedFileError } from './start-problem.js';

const SQLITE_LOCK_TIMEOUT_MS = 60_000;
/** An arbitrary number, the same in every process. */
const ADVISORY_LOCK = 7_205_759_403;
/** Exists in a PostgreSQL database while the copy of an embedded one is unfinished. */
export const COPY_TABLE = 'embedded_copy';

/**
 * Runs all pending migrations in one transaction, in one process at a time; the others wait.
 *
 * @throws ConfigurationError for problems that the operator can fix
 */
export async function migrate(config: Config): Promise<void> {
  const dataSource = new EngineDataSource(dataSourceOptions(config, 'migrate'));
  try {
    makePrivate(config.DATA_DIR);
    if (config.postgres) await migratePostgres(dataSource);
    else {
      requireIntegrity(sqliteFile(config));
      await migrateSqlite(dataSource, join(config.DATA_DIR, 'migration.lock'));
    }
  } catch (error) {
    throw asStartProblem(error, config);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

async function migratePostgres(dataSource: DataSource): Promise<void> {
  await dataSource.initialize();
  await requireSupportedServer(dataSource);
  await dataSource.transaction(async ({ queryRunner }) => {
    if (!queryRunner) throw new Error('A transaction has a query runner');
    // The role may have a timeout meant for requests.
    await queryRunner.query('SET LOCAL statement_timeout = 0');
    await queryRunner.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    if (await queryRunner.hasTable(COPY_TABLE)) {
      throw new ConfigurationError(
        'The database of DATABASE_URL is an unfinished copy; run `npm run migrate:to-postgres` again to finish it',
      );
    }
    await runPending(dataSource, queryRunner);
  });
}

async function migrateSqlite(dataSource: DataSource, lockFile: string): Promise<void> {
  // TypeORM takes no lock, and an SQLite transaction that begins by reading fails when another
  // process has written since. A lock on a separate file makes starting processes wait.
  const lock = new Database(lockFile, { timeout: SQLITE_LOCK_TIMEOUT_MS });
  try {
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch {
      throw new ConfigurationError('Another process has been migrating the database for a minute');
    }
    await dataSource.initialize();
    const queryRunner = dataSource.createQueryRunner();
    // Turns foreign keys off, which is impossible within the transaction: rebuilding a table drops
    // it, and the drop would cascade.
    await queryRunner.beforeMigration();
    await queryRunner.startTransaction();
    try {
      await runPending(dataSource, queryRunner);
      await queryRunner.commitTransaction();
    } catch (error) {
      await queryRunner.rollbackTransaction();
      throw error;
    }
  } finally {
    lock.close();
  }
}

/** Checks the file, since a damaged page would otherwise be noticed only when it is read. */
function requireIntegrity(file: string): void {
  if (!existsSync(file)) return;
  const connection = new Database(file, { readonly: true });
  try {
    if (connection.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new DamagedFileError();
  } finally {
    connection.close();
  }
}

/** Runs pending migrations in the caller's transaction. */
async function runPending(dataSource: DataSource, queryRunner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(dataSource, queryRunner);
  executor.transaction = 'none';
  const known = new Set(dataSource.migrations.map((migration) => migration.constructor.name));
  const executed = await executor.getExecutedMigrations();
  if (executed.some(({ name }) => !known.has(name))) {
    throw new ConfigurationError(
      'The database was migrated by another version of Latchkey; start that version or a later one',
    );
  }
  await executor.executePendingMigrations();
}
