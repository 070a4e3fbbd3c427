import { DataSource, EntityManager, EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { Config } from '../platform/config/config.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { dataSourceOptions, type Entities } from '../platform/database/data-source-options.js';
import { EngineDataSource } from '../platform/database/engine-data-source.js';
import { COPY_TABLE, migrate } from '../platform/database/migrate.js';
import { StoredRow, storedColumns } from './embedded-source.js';

/** The row of COPY_TABLE with the fingerprint of the source. The other rows have positions. */
const SOURCE = 'source';

/** The PostgreSQL database into which an embedded one is copied. */
export class PostgresTarget {
  private constructor(private readonly dataSource: DataSource) {}

  /**
   * Opens an empty database and migrates it, or opens the unfinished copy of the same source. No service
   * starts on an unfinished copy.
   *
   * @throws ConfigurationError when it contains anything else
   */
  static async open(
    config: Config,
    entities: Entities,
    fingerprint: string,
  ): Promise<PostgresTarget> {
    const dataSource = new EngineDataSource(dataSourceOptions(config, 'migrate', entities));
    const target = new PostgresTarget(dataSource);
    await dataSource.initialize();
    try {
      if (!(await target.isUnfinished())) await target.prepare(config, fingerprint);
      else if ((await target.position(SOURCE)) !== fingerprint) {
        throw new ConfigurationError(
          'The database of DATABASE_URL is the unfinished copy of another database, or of this one before it was used again; drop it, create it again and start over',
        );
      }
      return target;
    } catch (error) {
      await dataSource.destroy();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  /** The tables, each after those it references. */
  get tables(): EntityMetadata[] {
    const sorted = new Set<EntityMetadata>();
    const add = (table: EntityMetadata, path: EntityMetadata[]) => {
      if (sorted.has(table) || path.includes(table)) return;
      for (const { referencedEntityMetadata } of table.foreignKeys) {
        add(referencedEntityMetadata, [...path, table]);
      }
      sorted.add(table);
    };
    for (const table of this.dataSource.entityMetadatas) add(table, []);
    return [...sorted];
  }

  async count({ tableName }: EntityMetadata): Promise<number> {
    const [row] = await this.dataSource.query<[{ count: number }]>(
      `SELECT COUNT(*) AS count FROM "${tableName}"`,
    );
    return row.count;
  }

  /** The last copied key of a part: a table, or the search index. */
  async position(part: string): Promise<string | undefined> {
    const rows = await this.dataSource.query<{ mark: string }[]>(
      `SELECT mark FROM ${COPY_TABLE} WHERE part = $1`,
      [part],
    );
    return rows[0]?.mark;
  }

  async setPosition(
    part: string,
    position: string,
    manager: EntityManager = this.dataSource.manager,
  ) {
    await manager.query(
      `INSERT INTO ${COPY_TABLE} (part, mark) VALUES ($1, $2)
       ON CONFLICT (part) DO UPDATE SET mark = EXCLUDED.mark`,
      [part, position],
    );
  }

  /** Inserts rows as SQLite stores them, and sets the position, in one transaction. */
  async insert(table: EntityMetadata, rows: readonly StoredRow[], position: string): Promise<void> {
    const columns = storedColumns(table);
    const values = rows.flatMap((row) => columns.map((column) => this.convert(row, column)));
    const tuples = rows.map((_, row) => {
      const parameters = columns.map((_column, index) => `$${row * columns.length + index + 1}`);
      return `(${parameters.join(', ')})`;
    });
    const names = columns.map(({ databaseName }) => `"${databaseName}"`).join(', ');
    await this.dataSource.transaction(async (manager) => {
      await manager.query(
        `INSERT INTO "${table.tableName}" (${names}) OVERRIDING SYSTEM VALUE
         VALUES ${tuples.join(', ')}`,
        values,
      );
      await this.setPosition(table.tableName, position, manager);
    });
  }

  /**
   * Marks indexes of single knowledge bases as missing: another cluster does not have them, and the index
   * is built in the shared one.
   */
  leaveOwnIndexes(): Promise<unknown> {
    return this.dataSource.query(
      `UPDATE knowledge_bases SET search_place = 'preparing' WHERE search_place <> 'shared'`,
    );
  }

  /** Sets the sequence of a table, so that the next row gets the number after `number`. */
  async setSequence({ tableName, generatedColumns }: EntityMetadata, number: number) {
    for (const { databaseName } of generatedColumns) {
      await this.dataSource.query('SELECT setval(pg_get_serial_sequence($1, $2), $3, $4)', [
        tableName,
        databaseName,
        Math.max(number, 1),
        number > 0,
      ]);
    }
  }

  /** Documents with searchable passages, sorted by id. */
  searchableDocuments(
    after: string,
    limit: number,
  ): Promise<{ id: string; kb_id: string; version: number }[]> {
    return this.dataSource.query(
      `SELECT id, kb_id, version FROM documents
       WHERE id > $1 AND state = 'active' AND version IS NOT NULL ORDER BY id LIMIT ${limit}`,
      [after],
    );
  }

  async countSearchable(after: string): Promise<number> {
    const [row] = await this.dataSource.query<[{ count: number }]>(
      `SELECT COUNT(*) AS count FROM documents
       WHERE id > $1 AND state = 'active' AND version IS NOT NULL`,
      [after],
    );
    return row.count;
  }

  /** Marks the copy as complete: services may start on it. */
  async finish(): Promise<void> {
    // Index-only scans need the visibility map, which autovacuum would write only later.
    await this.dataSource.query('VACUUM (ANALYZE)');
    await this.dataSource.query(`DROP TABLE ${COPY_TABLE}`);
  }

  private async isUnfinished(): Promise<boolean> {
    const [row] = await this.dataSource.query<[{ found: boolean }]>(
      `SELECT to_regclass('${COPY_TABLE}') IS NOT NULL AS found`,
    );
    return row.found;
  }

  private async prepare(config: Config, fingerprint: string): Promise<void> {
    await migrate(config);
    for (const table of this.dataSource.entityMetadatas) {
      if ((await this.count(table)) > 0) {
        throw new ConfigurationError(
          `The database of DATABASE_URL is not empty: there are rows in ${table.tableName}`,
        );
      }
    }
    await this.dataSource.transaction(async (manager) => {
      await manager.query(
        `CREATE TABLE ${COPY_TABLE} (part varchar PRIMARY KEY, mark text NOT NULL)`,
      );
      await this.setPosition(SOURCE, fingerprint, manager);
    });
  }

  private convert(row: StoredRow, column: ColumnMetadata): unknown {
    const value = row[column.databaseName];
    if (value === null) return null;
    switch (this.dataSource.driver.normalizeType(column)) {
      case 'timestamp with time zone':
        // SQLite stores UTC without a time zone.
        return typeof value === 'string' ? `${value}Z` : value;
      case 'boolean':
        return value === 1;
      default:
        return value;
    }
  }
}
