import { describe, expect, it } from '@jest/globals';
import { type Filter, translateFilter } from './metadata-filter.js';

const write = (filter: Filter) =>
  translateFilter(filter, {
    and: 'and',
    or: 'or',
    not: (condition) => `not ${condition}`,
    isOneOf: (key, values) => `${key} in ${values.join(',')}`,
    isOrdered: (key, operator, value) => `${key} ${operator} ${value}`,
  });

describe(translateFilter.name, () => {
  it.each<[Filter, string]>([
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
    const one: Filter = { type: 'eq', key: 'a', value: 1 };
    const either: Filter = { type: 'or', filters: [one, one] };
    expect(write({ type: 'and', filters: [one, either] })).toBe('(a in 1 and (a in 1 or a in 1))');
  });
});
