import { describe, expect, it } from '@jest/globals';
import { overwrites } from './overwrites.js';

const DOCUMENT = {
  ...{ title: 'Returns', sourceUrl: null, externalId: 'returns' },
  metadata: { team: 'shop', tags: ['a', 'b'] },
  ...{ validFrom: new Date('2026-01-01'), validUntil: null, supersedes: 'doc_1' },
  ...{ date: '2026', dateFrom: 'given' as const },
};

describe(overwrites, () => {
  it.each<[Parameters<typeof overwrites>[1], boolean]>([
    [{}, false],
    [{ title: 'Returns', externalId: 'returns', sourceUrl: null }, false],
    [{ sourceUrl: 'https://example.com' }, false],
    [{ metadata: { team: 'shop', tags: ['a', 'b'] } }, false],
    [{ metadata: { tags: ['a', 'b'], team: 'shop', year: 2026 } }, false],
    [{ title: 'returns' }, true],
    [{ title: '' }, true],
    [{ externalId: null }, true],
    [{ metadata: {} }, true],
    [{ metadata: { team: 'shop' } }, true],
    [{ metadata: { team: 'shop', tags: ['b', 'a'] } }, true],
    [{ metadata: { team: 'Shop', tags: ['a', 'b'] } }, true],
    [{ validFrom: new Date('2026-01-01'), supersedes: 'doc_1', date: '2026' }, false],
    [{ validUntil: new Date('2027-01-01') }, false],
    [{ validFrom: new Date('2026-01-02') }, true],
    [{ validFrom: null }, true],
    [{ supersedes: null }, true],
    [{ supersedes: 'doc_2' }, true],
    [{ date: '2025' }, true],
    [{ date: null, dateFrom: null }, true],
  ])('%j: %j', (changed, expected) => {
    expect(overwrites(DOCUMENT, changed)).toBe(expected);
  });

  it('a date that was found, rather than given', () => {
    expect(overwrites({ ...DOCUMENT, dateFrom: 'title' }, { date: '2025' })).toBe(false);
  });
});
