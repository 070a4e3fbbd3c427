import { describe, expect, it } from '@jest/globals';
import {
  calculateCost,
  countsAlike,
  getLimit,
  periodEnd,
  periodStart,
  reachedShare,
} from './budget.js';

describe('a budget', () => {
  it.each([
    ['2026-12-31T23:59:59.999Z', 'day', '2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 'month', '2026-12-01', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', 'day', '2028-02-29', '2028-03-01T00:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', 'month', '2028-02-01', '2028-03-01T00:00:00.000Z'],
  ] as const)('of the %s, by the %s, is that of %s until %s', (now, period, start, end) => {
    expect(periodStart(period, new Date(now))).toBe(start);
    expect(periodEnd(period, new Date(now)).toISOString()).toBe(end);
  });

  it('counts money in billionths', () => {
    expect(getLimit({ cost: 0.1, period: 'day' })).toEqual({ unit: 'cost', limit: 100_000_000 });
    const tokens = { promptTokens: 3, completionTokens: 1 };
    expect(calculateCost({ input: 0.15, output: 0.6 }, tokens)).toBe(1050);
    expect(calculateCost(undefined, tokens)).toBe(0);
  });

  it.each([
    [0, 0],
    [79, 0],
    [80, 0.8],
    [99, 0.8],
    [100, 1],
    [120, 1],
  ])('of which %d of 100 are used up is announced at %d', (spent, share) => {
    expect(reachedShare({ messages: 100, period: 'day', soft: 0.8 }, spent)).toBe(share);
  });

  it('without a soft limit is announced when it is used up', () => {
    const budget = { messages: 100, period: 'day', soft: null } as const;
    expect([reachedShare(budget, 99), reachedShare(budget, 100)]).toEqual([0, 1]);
  });

  it('goes on with what was counted for one of the same unit and period', () => {
    const budget = { messages: 1, period: 'day' } as const;
    expect(countsAlike(budget, { ...budget, messages: 2, soft: 0.5 })).toBe(true);
    expect(countsAlike(budget, { tokens: 1, period: 'day' })).toBe(false);
    expect(countsAlike(budget, { messages: 1, period: 'month' })).toBe(false);
    expect(countsAlike(budget, null)).toBe(false);
  });
});
