import { describe, expect, it } from '@jest/globals';
import { readDate } from './source-date.js';

describe(readDate, () => {
  it.each([
    [new Date('2025-03-05T23:59:59Z'), '2025-03-05'],
    [new Date('1999-12-31T00:00:00Z'), '1999-12-31'],
    [new Date(0), null],
    [new Date(Number.NaN), null],
    [new Date(8.64e15), null],
    [new Date(-1e12), null],
    [undefined, null],
  ])('of %s is %s', (modifiedAt, expected) => {
    expect(readDate({ ...(modifiedAt && { modifiedAt }) })).toBe(expected);
  });
});
