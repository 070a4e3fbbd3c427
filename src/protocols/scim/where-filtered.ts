import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { parseFilter, type Resource } from './scim-fields.js';

/**
 * Leaves out what the query's `filter` does not name.
 *
 * @param filtered the attributes that the resources have, in SQL
 * @throws Problem `validation_failed`
 */
export function whereFiltered<T extends ObjectLiteral>(
  rows: SelectQueryBuilder<T>,
  query: Resource,
  filtered: Record<string, (value: string) => string>,
): void {
  for (const [index, { name, value }] of parseFilter(query['filter']).entries()) {
    rows.andWhere(filtered[name]?.(`:filter${index}`) ?? 'FALSE', { [`filter${index}`]: value });
  }
}
