import { createHash } from 'node:crypto';

export type FilterValue = string | number | boolean;

/** A condition on one key of a document's metadata. */
type Comparison =
  | { readonly type: 'eq' | 'ne'; readonly key: string; readonly value: FilterValue }
  | {
      readonly type: 'gt' | 'gte' | 'lt' | 'lte';
      readonly key: string;
      readonly value: string | number;
    }
  | { readonly type: 'in' | 'nin'; readonly key: string; readonly value: readonly FilterValue[] };

/**
 * Which documents to search, by their metadata. A list matches if one of its entries matches.
 * Values of different types are neither equal nor ordered. `ne` and `nin` are the negations of `eq`
 * and `in`, so a missing key matches them and nothing else. Texts are ordered by code points.
 */
export type MetadataFilter =
  Comparison | { readonly type: 'and' | 'or'; readonly filters: readonly MetadataFilter[] };

/** Combines filters into one that requires all of them; undefined if there are none. */
export function combineFilters(
  ...filters: readonly (MetadataFilter | null | undefined)[]
): MetadataFilter | undefined {
  const given = filters.filter((filter) => filter !== null && filter !== undefined);
  return given.length > 1 ? { type: 'and', filters: given } : given[0];
}

/** A hash that is equal for equal filters, in whatever order a database returns their members. */
export const hashFilter = (filter: MetadataFilter): string =>
  createHash('sha256')
    .update(JSON.stringify(filter, ['type', 'key', 'value', 'filters']))
    .digest('base64url');

/** Whether metadata matches a filter, as the databases decide it. */
export function matchesFilter(filter: MetadataFilter, metadata: object): boolean {
  if ('filters' in filter) {
    const matches = (one: MetadataFilter) => matchesFilter(one, metadata);
    return filter.type === 'and' ? filter.filters.every(matches) : filter.filters.some(matches);
  }
  const value = new Map<string, unknown>(Object.entries(metadata)).get(filter.key);
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  switch (filter.type) {
    case 'eq':
    case 'in':
      return [filter.value].flat().some((one) => entries.includes(one));
    case 'ne':
    case 'nin':
      return ![filter.value].flat().some((one) => entries.includes(one));
    default: {
      const order = { gt: [1], gte: [1, 0], lt: [-1], lte: [-1, 0] }[filter.type];
      return entries.some((entry) => order.includes(compare(entry, filter.value)));
    }
  }
}

/** -1, 0 or 1; NaN for values of different types. */
function compare(entry: unknown, value: string | number): number {
  if (typeof entry === 'number' && typeof value === 'number') return Math.sign(entry - value);
  if (typeof entry !== 'string' || typeof value !== 'string') return NaN;
  // UTF-8 is ordered by code points; the units of UTF-16 are not.
  return Buffer.compare(Buffer.from(entry), Buffer.from(value));
}

/** The SQL of one database for the parts of a filter. */
export interface FilterDialect {
  readonly and: string;
  readonly or: string;
  not(condition: string): string;
  isOneOf(key: string, values: readonly FilterValue[]): string;
  isOrdered(key: string, operator: string, value: string | number): string;
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** Writes a filter as a condition of a database. */
export function translateFilter(filter: MetadataFilter, dialect: FilterDialect): string {
  switch (filter.type) {
    case 'and':
    case 'or': {
      const conditions = filter.filters.map((one) => translateFilter(one, dialect));
      return `(${conditions.join(` ${dialect[filter.type]} `)})`;
    }
    case 'eq':
      return dialect.isOneOf(filter.key, [filter.value]);
    case 'ne':
      return dialect.not(dialect.isOneOf(filter.key, [filter.value]));
    case 'in':
      return dialect.isOneOf(filter.key, filter.value);
    case 'nin':
      return dialect.not(dialect.isOneOf(filter.key, filter.value));
    default:
      return dialect.isOrdered(filter.key, OPERATORS[filter.type], filter.value);
  }
}
