import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/** The number of rows per statement: SQLite allows 32,766 parameters. */
const BATCH = 1000;

/**
 * Inserts whole rows, without generated columns, by plain SQL. TypeORM's query builder takes ten times
 * as long, and every request inserts rows.
 *
 * @param conflict an SQL clause for rows that already exist, and for what is returned
 */
export async function insertRows<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  rows: readonly Partial<T>[],
  conflict = '',
): Promise<Record<string, unknown>[]> {
  const { driver } = manager.dataSource;
  const metadata = manager.dataSource.getMetadata(entity);
  const { tableName } = metadata;
  const columns = metadata.columns.filter(({ isGenerated }) => !isGenerated);
  const names = columns.map(({ databaseName }) => driver.escape(databaseName));
  const returned: Record<string, unknown>[] = [];
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH);
    const tuples = batch.map((_, row) => {
      const first = row * columns.length;
      return `(${columns.map((_column, index) => driver.createParameter('', first + index)).join()})`;
    });
    const values = batch.flatMap((row) =>
      columns.map((column): unknown =>
        driver.preparePersistentValue(column.getEntityValue(row), column),
      ),
    );
    const result = await manager.query<unknown>(
      `INSERT INTO ${driver.escape(tableName)} (${names.join()}) VALUES ${tuples.join()} ${conflict}`,
      values,
    );
    // SQLite returns a number if no rows are returned.
    if (Array.isArray(result)) returned.push(...(result as Record<string, unknown>[]));
  }
  return returned;
}
