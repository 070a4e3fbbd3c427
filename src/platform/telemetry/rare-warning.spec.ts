import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RareWarning } from './rare-warning.js';

describe(RareWarning.name, () => {
  const warn = jest.fn();
  let now: number;
  let warning: RareWarning;

  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    warn.mockReset();
    warning = new RareWarning({ warn });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is logged once a minute, with the number of those that were left out since', () => {
    const logged = [0, 1000, 59_999, 60_000, 60_001, 200_000, 260_000].map((time) => {
      now = time;
      return warning.log(`at ${time}`);
    });
    expect(logged).toEqual([true, false, false, true, false, true, true]);
    expect(warn.mock.calls).toEqual([
      ['at 0'],
      ['at 60000 (2 more left out)'],
      ['at 200000 (1 more left out)'],
      ['at 260000'],
    ]);
  });
});
