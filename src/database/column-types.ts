import { PrimaryGeneratedColumn, TableColumnOptions } from 'typeorm';

/**
 * What the two engines spell differently. Entities and migrations both take it from here, so that
 * there is one set of each.
 */
const postgres = Boolean(process.env['DATABASE_URL']);

/** A moment, UTC, to the millisecond. */
export const instant = postgres ? 'timestamptz' : 'datetime';
/** Any JSON value. */
export const json = postgres ? 'jsonb' : 'simple-json';
/** Bytes. */
export const binary = postgres ? 'bytea' : 'blob';
/** A primary key that the database counts up and never gives twice. */
export const SerialColumn = () =>
  postgres
    ? PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
    : PrimaryGeneratedColumn('increment', { type: 'integer' });

/** The same, for a migration. */
export const serial: Partial<TableColumnOptions> & { type: string } = {
  isPrimary: true,
  isGenerated: true,
  ...(postgres
    ? { type: 'bigint', generationStrategy: 'identity', generatedIdentity: 'BY DEFAULT' }
    : { type: 'integer', generationStrategy: 'increment' }),
};

/** The day in UTC by the database's clock, in SQL, as text. */
export const sqlToday = postgres
  ? `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
  : `strftime('%Y-%m-%d', 'now')`;

/** The database's clock, in SQL; comparable with an `instant`. */
export const sqlNow = postgres ? 'clock_timestamp()' : `strftime('%Y-%m-%d %H:%M:%f', 'now')`;
