import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/** Rows in one statement: SQLite takes 32,766 parameters. */
const BATCH = 1000;

/**
 * Inserts rows, or changes existing ones by SQL expressions, which TypeORM's own upsert cannot.
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
 * Inserts whole rows.
 *
 * @param conflict SQL for rows that exist already
 */
export async function insertRows<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  rows: readonly Partial<T>[],
  conflict = '',
): Promise<void> {
  const { driver } = manager.dataSource;
  const { tableName, columns } = manager.dataSource.getMetadata(entity);
  const names = columns.map(({ databaseName }) => driver.escape(databaseName));
  for (let start = 0; start < rows.length; start += BATCH) {
    const values: unknown[] = [];
    const tuples = rows.slice(start, start + BATCH).map((row) => {
      const parameters = columns.map((column) => {
        const value: unknown = driver.preparePersistentValue(column.getEntityValue(row), column);
        return driver.createParameter('value', values.push(value) - 1);
      });
      return `(${parameters.join(', ')})`;
    });
    await manager.query(
      `INSERT INTO ${driver.escape(tableName)} (${names.join(', ')})
       VALUES ${tuples.join(', ')} ${conflict}`,
      values,
    );
  }
}
