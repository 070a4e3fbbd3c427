import { describe, expect, it } from '@jest/globals';
import { ProgressLimit, READING_LIMITS } from './progress-limit.js';

/** Measures once a second. */
function secondsUntilExceeded(
  seconds: number,
  { cpuShare, progressEvery }: { cpuShare: number; progressEvery: number },
): number | null {
  const limit = new ProgressLimit(READING_LIMITS);
  for (let second = 0; second <= seconds; second++) {
    const isExceeded = limit.isExceeded({
      document: 1,
      progress: Math.floor(second / progressEvery),
      cpuMs: second * 1000 * cpuShare,
      wallMs: second * 1000,
    });
    if (isExceeded) return second;
  }
  return null;
}

describe(ProgressLimit.name, () => {
  it('gives up what uses the CPU for ten seconds without progress', () => {
    expect(secondsUntilExceeded(60, { cpuShare: 1, progressEvery: Infinity })).toBe(11);
  });

  it('gives up after half a minute without progress, but not where the machine was busy', () => {
    expect(secondsUntilExceeded(60, { cpuShare: 0.3, progressEvery: Infinity })).toBe(31);
    expect(secondsUntilExceeded(60, { cpuShare: 0.05, progressEvery: Infinity })).toBeNull();
  });

  it('lets long documents go on while pages come', () => {
    expect(secondsUntilExceeded(55, { cpuShare: 1, progressEvery: 9 })).toBeNull();
    expect(secondsUntilExceeded(599, { cpuShare: 0.1, progressEvery: 20 })).toBeNull();
  });

  it('gives up slow pages in the end, and everything after ten minutes', () => {
    expect(secondsUntilExceeded(100, { cpuShare: 1, progressEvery: 9 })).toBe(61);
    expect(secondsUntilExceeded(700, { cpuShare: 0.05, progressEvery: 1 })).toBe(601);
  });

  it('counts for each document anew, and not between them', () => {
    const limit = new ProgressLimit(READING_LIMITS);
    const exceededAt = (document: number, second: number) =>
      limit.isExceeded({ document, progress: 0, cpuMs: second * 1000, wallMs: second * 1000 });
    expect([1, 2, 0, 3].map((document, index) => exceededAt(document, index * 9))).toEqual(
      Array(4).fill(false),
    );
    expect(exceededAt(3, 30)).toBe(false);
    expect(exceededAt(3, 38)).toBe(true);
    expect(exceededAt(0, 99)).toBe(false);
  });
});
