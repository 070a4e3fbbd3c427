import { describe, expect, it } from '@jest/globals';
import { informativeTerms } from './informative-terms.js';

const term = (frequency: number) => ({
  stem: `in-${frequency}`,
  times: 1,
  weight: 1,
  frequency,
});

/** Which terms, given by how many passages have them, are left. */
const kept = (frequencies: number[], passages: number) =>
  informativeTerms(frequencies.map(term), passages).map(({ frequency }) => frequency);

describe(informativeTerms.name, () => {
  it.each([
    [9, 9],
    [19, 20],
    [95, 100],
    [100_000, 100_000],
    // The counts are not always of one moment.
    [1001, 1000],
  ])('leaves out a term that %i of %i passages have, beside a rare one', (some, all) => {
    expect(kept([1, some], all)).toEqual([1]);
  });

  it.each([
    [2, 2],
    [8, 8],
    [8, 9],
    [50, 100],
    [89, 100],
    [80_000, 100_000],
  ])('keeps a term that %i of %i passages have', (some, all) => {
    expect(kept([1, some], all)).toEqual([1, some]);
  });

  it('keeps all where none is in less than half of the passages', () => {
    expect(kept([1000], 1000)).toEqual([1000]);
    expect(kept([500, 990, 1000], 1000)).toEqual([500, 990, 1000]);
  });
});
