export type FilterValue = string | number | boolean;

/** A condition on one key of a document's metadata. */
export type Comparison =
  | { readonly type: 'eq' | 'ne'; readonly key: string; readonly value: FilterValue }
  | {
      readonly type: 'gt' | 'gte' | 'lt' | 'lte';
      readonly key: string;
      readonly value: string | number;
    }
  | { readonly type: 'in' | 'nin'; readonly key: string; readonly value: readonly FilterValue[] };

/** Which documents a question is about, by their metadata. */
export type Filter =
  Comparison | { readonly type: 'and' | 'or'; readonly filters: readonly Filter[] };

/**
 * Whether a document's metadata meets a filter. A list meets what one of its entries meets; values
 * of different types are neither equal nor in any order; `ne` and `nin` are the opposites of `eq`
 * and `in`, so that a key that is missing meets them and nothing else.
 */
export function meets(metadata: Record<string, unknown>, filter: Filter): boolean {
  switch (filter.type) {
    case 'and':
      return filter.filters.every((one) => meets(metadata, one));
    case 'or':
      return filter.filters.some((one) => meets(metadata, one));
    case 'eq':
      return some(metadata, filter.key, (value) => value === filter.value);
    case 'ne':
      return !some(metadata, filter.key, (value) => value === filter.value);
    case 'in':
      return some(metadata, filter.key, (value) => isOneOf(value, filter.value));
    case 'nin':
      return !some(metadata, filter.key, (value) => isOneOf(value, filter.value));
    case 'gt':
      return some(metadata, filter.key, (value) => compare(value, filter.value) > 0);
    case 'gte':
      return some(metadata, filter.key, (value) => compare(value, filter.value) >= 0);
    case 'lt':
      return some(metadata, filter.key, (value) => compare(value, filter.value) < 0);
    case 'lte':
      return some(metadata, filter.key, (value) => compare(value, filter.value) <= 0);
  }
}

function some(
  metadata: Record<string, unknown>,
  key: string,
  holds: (value: unknown) => boolean,
): boolean {
  if (!Object.hasOwn(metadata, key)) return false;
  const value = metadata[key];
  return Array.isArray(value) ? value.some(holds) : holds(value);
}

const isOneOf = (value: unknown, values: readonly FilterValue[]): boolean =>
  values.some((one) => one === value);

/** @returns NaN where there is no order: no comparison with it holds */
function compare(one: unknown, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') {
    // By code point, as PostgreSQL does.
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  return NaN;
}
