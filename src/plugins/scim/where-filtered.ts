import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { parseFilter, type Resource } from './scim-fields.js';

export interface FilteredAttribute {
  /** Builds the SQL condition that it equals a parameter. */
  readonly condition: (parameter: string) => string;
  /** Normalises the value before it is compared. */
  readonly compared?: (value: string) => string;
}

const UNKNOWN: FilteredAttribute = { condition: () => 'FALSE' };
const asItIs = (value: string): string => value;

/**
 * Restricts a query to resources that match the `filter`.
 *
 * @param filtered the attributes that can be filtered
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
