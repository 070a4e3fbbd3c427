import type { DataSource, EntityMetadata } from 'typeorm';

/**
 * The table of a class on which something is declared.
 *
 * @throws Error when the data source has no such table, so that the service does not start
 */
export function requireTable(dataSource: DataSource, entity: object): EntityMetadata {
  const table = dataSource.entityMetadatas.find(({ target }) => target === entity);
  if (table) return table;
  throw new Error(`${(entity as { name: string }).name} is declared, but no table`);
}
