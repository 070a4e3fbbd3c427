import { describe, expect, it } from '@jest/globals';
import { newExpiry, requireCompatibleGrant, requireExpiryWithin } from './key-rules.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = new Date('2026-11-20T00:00:00.000Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

describe(newExpiry.name, () => {
  it.each([
    ['none', null, null, null],
    ['the one requested', inDays(3), null, inDays(3)],
    ['the limit', null, 30, inDays(30)],
    ['an earlier one', inDays(3), 30, inDays(3)],
    ['the limit itself', inDays(30), 30, inDays(30)],
  ])('is %s', (_, requested, maxAgeDays, expected) => {
    expect(newExpiry(requested, NOW, maxAgeDays)).toEqual(expected);
  });

  it('is not beyond the limit', () => {
    expect(() => newExpiry(inDays(30.001), NOW, 30)).toThrow();
  });
});

describe(requireExpiryWithin.name, () => {
  const check = (
    createdAt: Date,
    expiresAt: Date | null,
    end: Date | null,
    days: number | null,
  ) => {
    requireExpiryWithin({ createdAt, expiresAt }, end, NOW, days);
  };

  it('allows anything without a limit, and what is within it', () => {
    check(NOW, null, null, null);
    check(NOW, inDays(5), inDays(30), 30);
  });

  it('refuses what is beyond it', () => {
    expect(() => {
      check(NOW, inDays(5), inDays(31), 30);
    }).toThrow();
    expect(() => {
      check(NOW, inDays(5), null, 30);
    }).toThrow();
  });

  it('counts from the creation of the key', () => {
    expect(() => {
      check(inDays(-20), inDays(5), inDays(11), 30);
    }).toThrow();
    check(inDays(-20), inDays(5), inDays(10), 30);
  });

  it('lets a key that is older than the limit be ended, and not put off again', () => {
    check(inDays(-100), null, inDays(30), 30);
    check(inDays(-100), inDays(20), inDays(10), 30);
    expect(() => {
      check(inDays(-100), inDays(10), inDays(20), 30);
    }).toThrow();
    expect(() => {
      check(inDays(-100), null, inDays(31), 30);
    }).toThrow();
  });
});

describe(requireCompatibleGrant.name, () => {
  const filter = { type: 'eq', key: 'language', value: 'de' } as const;

  it('parts a filter from documents:write', () => {
    requireCompatibleGrant({ scopes: ['documents:write'], filter: null });
    requireCompatibleGrant({ scopes: ['documents:read'], filter });
    expect(() => {
      requireCompatibleGrant({ scopes: ['query', 'documents:write'], filter });
    }).toThrow();
  });
});
