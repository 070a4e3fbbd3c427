import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { parseFilter, type Resource } from './scim-fields.js';

export interface FilteredAttribute {
  /** SQL: that it has the value of a parameter. */
  readonly condition: (parameter: string) => string;
  /** The value as it is compared. */
  readonly compared?: (value: string) => string;
}

const UNKNOWN: FilteredAttribute = { condition: () => 'FALSE' };
const asItIs = (value: string): string => value;

/**
 * Leaves out what the query's `filter` does not name.
 *
 * @param filtered the attributes that the resources have
 * @throws Problem `validation_failed`
 */
export function whereFiltered<T extends ObjectLiteral>(
  rows: SelectQueryBuilder<T>,
  query: Resource,
  filtered: Record<string, FilteredAttribute>,
): void {
  for (const [index, { name, value }] of parseFilter(query['filter']).entries()) {
    const { condition, compared = asItIs } = filtered[name] ?? UNKNOWN;
    rows.andWhere(condition(`:filter${index}`), { [`filter${index}`]: compared(value) });
  }
}
