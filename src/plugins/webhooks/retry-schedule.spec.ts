import { describe, expect, it } from '@jest/globals';
import { retryPauseMs } from './retry-schedule.js';

describe(retryPauseMs, () => {
  it('waits longer after each failure, and gives up after eight', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8].map((failed) => {
      const pause = retryPauseMs(failed);
      return pause === undefined ? undefined : pause / 1000;
    });
    expect(seconds).toEqual([5, 60, 300, 1800, 7200, 28_800, 86_400, undefined]);
  });
});
