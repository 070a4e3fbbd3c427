import {
  type EntityManager,
  type EntityTarget,
  type FindManyOptions,
  type FindOptionsWhere,
  In,
  type ObjectLiteral,
} from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { rowLock } from '../../platform/database/dialect.js';
import { insertRows } from '../../platform/database/insert-rows.js';

/** Rows in one statement: SQLite refuses expressions nested deeper than 1,000. */
const BATCH = 200;

interface Merging<Row> {
  /** The neutral row, inserted when none is stored: merged with `row` it gives `row`. */
  readonly empty: (row: Row) => Row;
  readonly merge: (stored: Row, row: Row) => Row;
}

/**
 * Inserts rows, or merges them with stored rows of the same primary key. Stored rows are locked in the
 * order of their keys, so that parallel transactions cannot deadlock. They stay locked until the
 * transaction ends, so call this late in it.
 */
export async function insertOrMerge<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  rows: readonly Row[],
  { empty, merge }: Merging<Row>,
): Promise<void> {
  const { columns, primaryColumns } = manager.dataSource.getMetadata(entity);
  const names = primaryColumns.map(({ propertyName }) => propertyName);
  const identityOf = (row: Row) => JSON.stringify(names.map((name): unknown => row[name]));
  const sorted = mergeRows(rows, identityOf, merge);
  const added = new Map(sorted.map((row) => [identityOf(row), row]));
  const escape = ({ databaseName }: ColumnMetadata) =>
    manager.dataSource.driver.escape(databaseName);
  const changes = columns.filter(({ isPrimary }) => !isPrimary).map(escape);
  const replace = `ON CONFLICT (${primaryColumns.map(escape).join()}) DO UPDATE SET
    ${changes.map((column) => `${column} = excluded.${column}`).join()}`;
  for (let start = 0; start < sorted.length; start += BATCH) {
    const batch = sorted.slice(start, start + BATCH);
    const lockStored = () =>
      manager.find(entity, {
        where: conditions(batch, names),
        order: Object.fromEntries(names.map((name) => [name, 'ASC'])),
        ...rowLock(manager.dataSource),
      } as FindManyOptions<Row>);
    let stored = await lockStored();
    if (stored.length < batch.length) {
      // A missing row cannot be locked, and another process may insert it now: insert a neutral one.
      await insertRows(manager, entity, batch.map(empty), 'ON CONFLICT DO NOTHING');
      stored = await lockStored();
    }
    const merged = stored.map((row) => merge(row, added.get(identityOf(row)) ?? empty(row)));
    await insertRows(manager, entity, merged, replace);
  }
}

/** One row for each identity, in the order of identities: a statement may change no row twice. */
export function mergeRows<Row>(
  rows: readonly Row[],
  identityOf: (row: Row) => string,
  merge: (one: Row, other: Row) => Row,
): Row[] {
  const merged = new Map<string, Row>();
  for (const row of rows) {
    const other = merged.get(identityOf(row));
    merged.set(identityOf(row), other ? merge(other, row) : row);
  }
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** The rows by their primary keys: one condition for all that differ in the last column only. */
function conditions<Row extends ObjectLiteral>(
  rows: readonly Row[],
  names: readonly string[],
): FindOptionsWhere<Row>[] {
  const last = names.at(-1) ?? '';
  const groups = new Map<string, { readonly row: Row; readonly values: unknown[] }>();
  for (const row of rows) {
    const prefix = JSON.stringify(names.slice(0, -1).map((name): unknown => row[name]));
    const group = groups.get(prefix) ?? { row, values: [] };
    group.values.push(row[last]);
    groups.set(prefix, group);
  }
  return [...groups.values()].map(({ row, values }) => {
    const shared = names.slice(0, -1).map((name): [string, unknown] => [name, row[name]]);
    return Object.fromEntries([...shared, [last, In(values)]]) as FindOptionsWhere<Row>;
  });
}
