import { describe, expect, it } from '@jest/globals';
import {
  combineFilters,
  type MetadataFilter,
  hashFilter,
  matchesFilter,
  translateFilter,
} from './metadata-filter.js';

const write = (filter: MetadataFilter) =>
  translateFilter(filter, {
    and: 'and',
    or: 'or',
    not: (condition) => `not ${condition}`,
    isOneOf: (key, values) => `${key} in ${values.join(',')}`,
    isOrdered: (key, operator, value) => `${key} ${operator} ${value}`,
  });

describe(translateFilter.name, () => {
  it.each<[MetadataFilter, string]>([
    [{ type: 'eq', key: 'team', value: 'sales' }, 'team in sales'],
    [{ type: 'ne', key: 'team', value: 'sales' }, 'not team in sales'],
    [{ type: 'in', key: 'year', value: [2025, 2026] }, 'year in 2025,2026'],
    [{ type: 'nin', key: 'year', value: [2025, 2026] }, 'not year in 2025,2026'],
    [{ type: 'gt', key: 'year', value: 2025 }, 'year > 2025'],
    [{ type: 'lte', key: 'year', value: 2025 }, 'year <= 2025'],
  ])('%j', (filter, condition) => {
    expect(write(filter)).toBe(condition);
  });

  it('groups the parts of and, or', () => {
    const one: MetadataFilter = { type: 'eq', key: 'a', value: 1 };
    const either: MetadataFilter = { type: 'or', filters: [one, one] };
    expect(write({ type: 'and', filters: [one, either] })).toBe('(a in 1 and (a in 1 or a in 1))');
  });
});

describe(matchesFilter.name, () => {
  const matches = (type: 'eq' | 'lt' | 'gte', value: string | number, metadata: object) =>
    matchesFilter({ type, key: 'key', value }, metadata);

  it('orders texts by code points, and compares values of one type only', () => {
    // In UTF-16 the emoji comes first.
    expect(matches('lt', '\u{1F600}', { key: '\uFFFD' })).toBe(true);
    expect(matches('gte', '\u{1F600}', { key: '\uFFFD' })).toBe(false);
    expect(matches('gte', 2026, { key: '2026' })).toBe(false);
    expect(matches('gte', 2026, { key: ['2026', 2026] })).toBe(true);
  });

  it('looks at what the metadata has itself', () => {
    const filter = { type: 'ne', key: 'constructor', value: 'x' } as const;
    expect(matchesFilter(filter, {})).toBe(true);
    expect(matchesFilter({ ...filter, type: 'eq' }, { constructor: 'x' })).toBe(true);
  });
});

describe(combineFilters.name, () => {
  const one: MetadataFilter = { type: 'eq', key: 'language', value: 'de' };
  const other: MetadataFilter = { type: 'gt', key: 'year', value: 2025 };

  it('takes all that are given together', () => {
    expect(combineFilters()).toBeUndefined();
    expect(combineFilters(null, undefined)).toBeUndefined();
    expect(combineFilters(undefined, one, null)).toBe(one);
    expect(combineFilters(one, null, other)).toEqual({ type: 'and', filters: [one, other] });
  });
});

describe(hashFilter.name, () => {
  it('depends on what a filter says, not on the order of its members', () => {
    const filter: MetadataFilter = { type: 'and', filters: [{ type: 'eq', key: 'a', value: 1 }] };
    const reordered: MetadataFilter = {
      filters: [{ value: 1, key: 'a', type: 'eq' }],
      type: 'and',
    };
    expect(hashFilter(reordered)).toBe(hashFilter(filter));
    expect(hashFilter({ type: 'or', filters: filter.filters })).not.toBe(hashFilter(filter));
    const text: MetadataFilter = { type: 'and', filters: [{ type: 'eq', key: 'a', value: '1' }] };
    expect(hashFilter(text)).not.toBe(hashFilter(filter));
  });
});
