import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { Config } from '../platform/config/config.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { sqliteFile } from '../platform/database/data-source-options.js';
import { migrations } from '../platform/database/migrations/index.js';
import { takeInFiles } from './take-in-files.js';

export type StoredRow = Record<string, unknown>;

/** The columns of a table, without those that an entity computes. */
export const storedColumns = ({ columns }: EntityMetadata): ColumnMetadata[] =>
  columns.filter(({ isVirtualProperty }) => !isVirtualProperty);

const quoted = (columns: readonly ColumnMetadata[]) =>
  columns.map(({ databaseName }) => `"${databaseName}"`).join(', ');

/**
 * The embedded database, locked exclusively: a key that a service revoked during the copy would stay active
 * in the copy.
 */
export class EmbeddedSource {
  private constructor(private readonly connection: Database.Database) {}

  /** @throws ConfigurationError when it cannot be copied as it is */
  static async open(config: Config): Promise<EmbeddedSource> {
    const file = sqliteFile(config);
    if (!existsSync(file))
      throw new ConfigurationError(`There is no database in ${config.DATA_DIR}`);
    const connection = new Database(file, { timeout: 0 });
    try {
      connection.pragma('locking_mode = EXCLUSIVE');
      // The lock is taken by the first access and held until the connection is closed.
      connection.exec('BEGIN IMMEDIATE; COMMIT');
      if (connection.pragma('quick_check(1)', { simple: true }) !== 'ok') {
        throw new ConfigurationError(`${file} is damaged; restore it from a backup`);
      }
      requireThisVersion(connection);
      await takeInFiles(connection, config, 'remove');
      // The checkpoint moves everything into the one file that `fingerprint` reads.
      connection.pragma('wal_checkpoint(TRUNCATE)');
      return new EmbeddedSource(connection);
    } catch (error) {
      connection.close();
      const busy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      throw busy ? new ConfigurationError(`A service has ${file} open; stop it first`) : error;
    }
  }

  close(): void {
    this.connection.close();
  }

  /** The SHA-256 of the file. */
  async fingerprint(): Promise<string> {
    const hash = createHash('sha256');
    for await (const bytes of createReadStream(this.connection.name)) hash.update(bytes as Buffer);
    return hash.digest('hex');
  }

  /** Counts the active keys, and the sealed secrets of each table that has them, under each pepper. */
  pepperUses(): { id: string; table: string; count: number }[] {
    const tables = this.connection
      .prepare<[], string>(
        `SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
         WHERE t.type = 'table' AND c.name = 'pepper_id' ORDER BY t.name`,
      )
      .pluck()
      .all();
    const selects = tables.map((table) => {
      const isActive = `state = 'active' AND deleted_at IS NULL AND secret_hash <> ''`;
      return `SELECT pepper_id AS id, '${table}' AS "table", COUNT(*) AS count FROM "${table}"
        WHERE ${table === 'api_keys' ? isActive : 'pepper_id IS NOT NULL'} GROUP BY pepper_id`;
    });
    return this.connection
      .prepare<[], { id: string; table: string; count: number }>(selects.join(' UNION ALL '))
      .all();
  }

  count({ tableName }: EntityMetadata): number {
    return Number(this.connection.prepare(`SELECT COUNT(*) FROM "${tableName}"`).pluck().get());
  }

  /** The rows after the primary key `after`, in the order of primary keys, as SQLite stores them. */
  rows(table: EntityMetadata, after: unknown[]): IterableIterator<StoredRow> {
    const key = quoted(table.primaryColumns);
    const condition =
      after.length > 0 ? `WHERE (${key}) > (${after.map(() => '?').join(', ')})` : '';
    return this.connection
      .prepare<unknown[], StoredRow>(
        `SELECT ${quoted(storedColumns(table))} FROM "${table.tableName}" ${condition} ORDER BY ${key}`,
      )
      .iterate(...after);
  }

  /** The highest number that a table has generated, including deleted rows. */
  highestNumber({ tableName }: EntityMetadata): number {
    return Number(
      this.connection
        .prepare('SELECT seq FROM sqlite_sequence WHERE name = ?')
        .pluck()
        .get(tableName) ?? 0,
    );
  }
}

function requireThisVersion(connection: Database.Database): void {
  const names = connection.prepare('SELECT name FROM migrations ORDER BY id').pluck().all();
  if (names.join() !== migrations.map(({ name }) => name).join()) {
    throw new ConfigurationError(
      'The database belongs to another version of Latchkey; update an older one with `npm run migration -- migration:run`, without DATABASE_URL',
    );
  }
}
