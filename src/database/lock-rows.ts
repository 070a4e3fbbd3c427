import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * Locks the rows that a query selects until its transaction ends. SQLite runs one unit of work at a
 * time and has no row locks.
 */
export function lockRows<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
): SelectQueryBuilder<T> {
  return query.dataSource.options.type === 'postgres' ? query.setLock('for_no_key_update') : query;
}
