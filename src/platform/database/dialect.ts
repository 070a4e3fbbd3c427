import {
  type DataSource,
  type EntityManager,
  type FindOneOptions,
  getMetadataArgsStorage,
  type ObjectLiteral,
  PrimaryGeneratedColumn,
  type SelectQueryBuilder,
  type TableColumnOptions,
} from 'typeorm';

/**
 * The differences between SQLite and PostgreSQL in SQL and column types. Entities are declared with
 * SQLite's types, before the configuration is read; an EngineDataSource sets those of its engine.
 */
const sqlite = { instant: 'datetime', json: 'simple-json', binary: 'blob' } as const;
const postgres = { instant: 'timestamptz', json: 'jsonb', binary: 'bytea' } as const;

/** Column types for entities. */
export const {
  /** A moment, UTC, to the millisecond. */
  instant,
  /** Any JSON value. */
  json,
  /** Bytes. */
  binary,
} = sqlite;

/** For entities: a primary key from a sequence that never gives a number twice. */
export const SerialColumn = () =>
  PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' });

export const isPostgres = ({ options }: DataSource) => options.type === 'postgres';

/** Sets the column types of all entities, for metadata that is built from now on. */
export function setColumnTypes(dataSource: DataSource): void {
  const types = isPostgres(dataSource) ? postgres : sqlite;
  const { columns, generations } = getMetadataArgsStorage();
  for (const { options } of columns) {
    for (const kind of ['instant', 'json', 'binary'] as const) {
      if (options.type === sqlite[kind] || options.type === postgres[kind]) {
        options.type = types[kind];
      }
    }
  }
  for (const generation of generations) {
    const column = columns.find(
      ({ target, propertyName }) =>
        target === generation.target && propertyName === generation.propertyName,
    );
    if (column) column.options.type = isPostgres(dataSource) ? 'bigint' : 'integer';
    Object.assign(generation, { strategy: isPostgres(dataSource) ? 'identity' : 'increment' });
  }
}

/** Column types for migrations. */
interface ColumnTypes {
  readonly instant: string;
  readonly json: string;
  readonly binary: string;
  readonly float: string;
  readonly serial: Partial<TableColumnOptions> & { readonly type: string };
}

export function columnTypes(dataSource: DataSource): ColumnTypes {
  const serial = { isPrimary: true, isGenerated: true };
  return isPostgres(dataSource)
    ? {
        ...postgres,
        float: 'double precision',
        serial: {
          ...serial,
          type: 'bigint',
          generationStrategy: 'identity',
          generatedIdentity: 'BY DEFAULT',
        },
      }
    : {
        ...sqlite,
        json: 'text',
        float: 'float',
        serial: { ...serial, type: 'integer', generationStrategy: 'increment' },
      };
}

/** The database's current UTC day as text, in SQL. */
export const sqlToday = (dataSource: DataSource) =>
  isPostgres(dataSource)
    ? `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
    : `strftime('%Y-%m-%d', 'now')`;

/** The database's current time, in SQL; comparable with an `instant`. */
export const sqlNow = (dataSource: DataSource) =>
  isPostgres(dataSource)
    ? `date_trunc('milliseconds', clock_timestamp())`
    : `strftime('%Y-%m-%d %H:%M:%f', 'now')`;

/** Builds a LIKE pattern for values that contain `text`, to be used with `ESCAPE '\\'`. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The placeholder of the parameter at `index` (from 0), in SQL. */
export const sqlParameter = (dataSource: DataSource, index: number) =>
  dataSource.driver.createParameter('parameter', index);

/**
 * A lock of the rows read, for updating them, until the transaction ends. SQLite needs none: it has one
 * writing transaction at a time.
 *
 * @param onLocked `skip_locked` omits rows locked by other transactions instead of waiting for them
 */
export const rowLock = <T>(
  dataSource: DataSource,
  onLocked?: 'skip_locked',
): Pick<FindOneOptions<T>, 'lock'> =>
  isPostgres(dataSource)
    ? { lock: { mode: 'for_no_key_update', ...(onLocked && { onLocked }) } }
    : {};

/** A lock that lets others change but not delete the rows read, so that they can be referenced. */
export const keyShareLock = <T>(dataSource: DataSource): Pick<FindOneOptions<T>, 'lock'> =>
  isPostgres(dataSource) ? { lock: { mode: 'for_key_share' } } : {};

/**
 * A lock on a name, until the transaction ends. SQLite needs none: it has one writing transaction at a
 * time.
 *
 * @param mode `shared` excludes only `exclusive` ones
 */
export async function lockName(
  manager: EntityManager,
  name: string,
  mode: 'exclusive' | 'shared' = 'exclusive',
): Promise<void> {
  if (!isPostgres(manager.dataSource)) return;
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await manager.query(`SELECT ${lock}(hashtextextended($1, 0))`, [name]);
}

/** `rowLock` for a query builder. */
export function lockRows<T extends ObjectLiteral>(
  rows: SelectQueryBuilder<T>,
  onLocked?: 'skip_locked',
): SelectQueryBuilder<T> {
  if (!isPostgres(rows.dataSource)) return rows;
  const locked = rows.setLock('for_no_key_update');
  return onLocked ? locked.setOnLocked(onLocked) : locked;
}
