import type { DataSource, EntityMetadata } from 'typeorm';

/**
 * Returns the table of a class with a declaration.
 *
 * @throws Error if the data source has no such table, so that the service does not start
 */
export function requireTable(dataSource: DataSource, entity: object): EntityMetadata {
  const table = dataSource.entityMetadatas.find(({ target }) => target === entity);
  if (table) return table;
  throw new Error(`${(entity as { name: string }).name} is declared, but no table`);
}
