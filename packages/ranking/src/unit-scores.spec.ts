import { describe, expect, it } from '@jest/globals';
import { toUnitScores } from './unit-scores.js';

describe(toUnitScores.name, () => {
  it('gives the best passage the root of the share of the question that it covers', () => {
    expect(toUnitScores([{ score: 12, coverage: 0.64 }])).toEqual([0.8]);
  });

  it('keeps the order and the proportions of the scores', () => {
    const scores = toUnitScores([
      { score: 10, coverage: 0.36 },
      { score: 5, coverage: 1 },
      { score: -1, coverage: 1 },
    ]);
    expect(scores).toEqual([0.6, 0.3, 0]);
  });

  it('has no scores without passages', () => {
    expect(toUnitScores([])).toEqual([]);
  });
});
