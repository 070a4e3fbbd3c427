import { describe, expect, it } from '@jest/globals';
import { filterProblem } from './filter-problem.js';

const equals = { type: 'eq', key: 'team', value: 'sales' };
const and = (...filters: unknown[]) => ({ type: 'and', filters });
const times = (count: number, value: unknown) => Array.from({ length: count }, () => value);

describe(filterProblem.name, () => {
  it.each([
    equals,
    { type: 'ne', key: 'a.b', value: false },
    { type: 'gte', key: 'year', value: 2026 },
    { type: 'lt', key: 'day', value: '2026-01-01' },
    { type: 'in', key: 'team', value: ['sales', 1, true] },
    and(equals, { type: 'or', filters: [equals] }),
    and(...times(20, equals)),
  ])('accepts %j', (filter) => {
    expect(filterProblem(filter)).toBeUndefined();
  });

  it.each([
    [null, 'filter must be an object with type'],
    [[equals], 'filter must be an object with type'],
    [{ ...equals, type: 'like' }, 'filter.type must be one of eq, ne, gt, gte, lt, lte, in, nin'],
    [{ ...equals, key: '' }, 'filter.key must be a text'],
    [{ ...equals, key: '\ud800' }, 'filter.key must be a text'],
    [{ ...equals, value: null }, 'filter.value must be a text, a number or a boolean'],
    [{ ...equals, value: Infinity }, 'filter.value must be a text, a number or a boolean'],
    [{ ...equals, more: 1 }, 'filter must have only type, key and value'],
    [{ ...equals, type: 'gt', value: true }, 'filter.value must be a text or a number'],
    [{ ...equals, type: 'in' }, 'filter.value must be a list of 1 to 100'],
    [{ ...equals, type: 'in', value: [] }, 'filter.value must be a list of 1 to 100'],
    [{ ...equals, type: 'nin', value: times(101, 1) }, 'filter.value must be a list of 1 to 100'],
    [and(), 'filter.filters must be a list of 1 to 20 filters'],
    [{ ...and(equals), key: 'team' }, 'filter must have only type and filters'],
    [and(equals, and({ type: 'eq' })), 'filter.filters.1.filters.0.key must be a text'],
    [and(and(and(equals))), 'filter must be at most 3 deep'],
    [and(and(...times(11, equals)), and(...times(10, equals))), 'filter must have at most 20'],
  ])('says what is wrong with %j', (filter, problem) => {
    expect(filterProblem(filter)?.slice(0, problem.length)).toBe(problem);
  });
});
