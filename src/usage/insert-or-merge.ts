import type {
  EntityManager,
  EntityTarget,
  FindManyOptions,
  FindOptionsWhere,
  ObjectLiteral,
} from 'typeorm';

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
  const added = new Map<string, Row>();
  for (const row of rows) {
    const other = added.get(identityOf(row));
    added.set(identityOf(row), other ? merge(other, row) : row);
  }
  const sorted = [...added].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const insert = (values: Row[]) =>
    manager.createQueryBuilder().insert().into(entity).values(values).updateEntity(false);
  for (let start = 0; start < sorted.length; start += BATCH) {
    const batch = sorted.slice(start, start + BATCH);
    const lockStored = () =>
      manager.find(entity, {
        where: batch.map((row) => pick(row, names)),
        order: Object.fromEntries(names.map((name) => [name, 'ASC'])),
        // SQLite needs no lock: it has one writing transaction at a time.
        ...(manager.dataSource.options.type === 'postgres' && {
          lock: { mode: 'pessimistic_write' },
        }),
      } as FindManyOptions<Row>);
    let stored = await lockStored();
    if (stored.length < batch.length) {
      // A missing row cannot be locked, and another process may insert it now: insert a neutral one.
      await insert(batch.map(empty)).orIgnore().execute();
      stored = await lockStored();
    }
    const merged = stored.map((row) => merge(row, added.get(identityOf(row)) ?? empty(row)));
    await insert(merged)
      .orUpdate(
        columns.filter(({ isPrimary }) => !isPrimary).map(({ databaseName }) => databaseName),
        primaryColumns.map(({ databaseName }) => databaseName),
      )
      .execute();
  }
}

const pick = <Row extends ObjectLiteral>(row: Row, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name): [string, unknown] => [name, row[name]]),
  ) as FindOptionsWhere<Row>;
