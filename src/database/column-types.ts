import {
  type DataSource,
  getMetadataArgsStorage,
  PrimaryGeneratedColumn,
  type TableColumnOptions,
} from 'typeorm';

/**
 * What the two engines spell differently, for entities and migrations, so that there is one set of
 * each. Entities are declared before the configuration is read, with SQLite's types; an
 * EngineDataSource sets those of its engine.
 */
const sqlite = { instant: 'datetime', json: 'simple-json', binary: 'blob' } as const;
const postgres = { instant: 'timestamptz', json: 'jsonb', binary: 'bytea' } as const;

/** For entities. */
export const {
  /** A moment, UTC, to the millisecond. */
  instant,
  /** Any JSON value. */
  json,
  /** Bytes. */
  binary,
} = sqlite;

/** A primary key that the database counts up and never gives twice, as PostgreSQL spells it. */
export const SerialColumn = () =>
  PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' });

const isPostgres = ({ options }: DataSource) => options.type === 'postgres';

/** Sets the types that all entities have in metadata built from now on. */
export function setColumnTypes(dataSource: DataSource): void {
  const types = isPostgres(dataSource) ? postgres : sqlite;
  const { columns, generations } = getMetadataArgsStorage();
  for (const { options } of columns) {
    const { type } = options;
    for (const kind of ['instant', 'json', 'binary'] as const) {
      if (type === sqlite[kind] || type === postgres[kind]) options.type = types[kind];
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

export interface ColumnTypes {
  readonly instant: string;
  readonly json: string;
  readonly binary: string;
  readonly serial: Partial<TableColumnOptions> & { readonly type: string };
}

/** For migrations. */
export const columnTypes = (dataSource: DataSource): ColumnTypes =>
  isPostgres(dataSource)
    ? {
        ...postgres,
        serial: {
          isPrimary: true,
          isGenerated: true,
          type: 'bigint',
          generationStrategy: 'identity',
          generatedIdentity: 'BY DEFAULT',
        },
      }
    : {
        ...sqlite,
        json: 'text',
        serial: {
          isPrimary: true,
          isGenerated: true,
          type: 'integer',
          generationStrategy: 'increment',
        },
      };

/** The day in UTC by the database's clock, in SQL, as text. */
export const sqlToday = (dataSource: DataSource) =>
  isPostgres(dataSource)
    ? `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
    : `strftime('%Y-%m-%d', 'now')`;

/** The database's clock, in SQL; comparable with an `instant`. */
export const sqlNow = (dataSource: DataSource) =>
  isPostgres(dataSource) ? 'clock_timestamp()' : `strftime('%Y-%m-%d %H:%M:%f', 'now')`;
