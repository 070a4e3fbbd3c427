import { describe, expect, it } from '@jest/globals';
import { overwrites } from './overwrites.js';

const DOCUMENT = {
  ...{ title: 'Returns', sourceUrl: null, externalId: 'returns' },
  metadata: { team: 'shop', tags: ['a', 'b'] },
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
  ])('%j: %j', (changed, expected) => {
    expect(overwrites(DOCUMENT, changed)).toBe(expected);
  });
});
