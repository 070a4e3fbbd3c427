import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/** Rows in one statement: SQLite takes 32,766 parameters. */
const BATCH = 1000;

/**
 * Inserts rows, or changes those that are there by expressions, which TypeORM's own upsert cannot.
 *
 * @param changes column to SQL expression; `excluded` is the row that was to be inserted
 */
export function upsert<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  rows: readonly Partial<T>[],
  changes: Record<string, string>,
): Promise<void> {
  const { driver } = manager.dataSource;
  const { primaryColumns } = manager.dataSource.getMetadata(entity);
  const key = primaryColumns.map(({ databaseName }) => driver.escape(databaseName));
  const set = Object.entries(changes).map(([column, sql]) => `${driver.escape(column)} = ${sql}`);
  const conflict = `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set.join(', ')}`;
  return insertRows(manager, entity, rows, conflict);
}

/**
 * Inserts whole rows, in a fraction of the time that a query builder takes, for what every request
 * writes.
 *
 * @param conflict SQL that says what becomes of rows that are there
 */
export async function insertRows<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  rows: readonly Partial<T>[],
  conflict = '',
): Promise<void> {
  const { driver } = manager.dataSource;
  const { tableName, columns } = manager.dataSource.getMetadata(entity);
  const escaped = columns.map(({ databaseName }) => driver.escape(databaseName));
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH);
    const values = batch.flatMap((row) =>
      columns.map((column): unknown =>
        driver.preparePersistentValue(column.getEntityValue(row), column),
      ),
    );
    const tuples = batch.map((_, row) => {
      const first = row * columns.length;
      const parameters = columns.map((_column, index) =>
        driver.createParameter(`p${first + index}`, first + index),
      );
      return `(${parameters.join(', ')})`;
    });
    await manager.query(
      `INSERT INTO ${driver.escape(tableName)} (${escaped.join(', ')})
       VALUES ${tuples.join(', ')} ${conflict}`,
      values,
    );
  }
}
