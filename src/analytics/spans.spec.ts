import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { QUARTER_MS, startOfGrain } from '../usage/quarters.js';
import { toSpans } from './spans.js';

const NOW_QUARTER = Math.floor(Date.now() / QUARTER_MS);
/** Of the last three weeks, whose single records are kept. */
const time = fc.integer({
  min: (NOW_QUARTER - 21 * 96) * QUARTER_MS,
  max: NOW_QUARTER * QUARTER_MS,
});

/** How often a moment is counted by the spans of an interval. */
const counted = ({ counts, records }: ReturnType<typeof toSpans>, at: number) =>
  counts
    .filter(({ grain, first, next }) => {
      const stretch = startOfGrain(Math.floor(at / QUARTER_MS), grain);
      return stretch >= first && stretch < next;
    })
    .reduce((sum, { sign }) => sum + sign, 0) +
  records.filter(({ start, end }) => at >= start && at < end).length;

describe(toSpans.name, () => {
  it('counts what is in an interval once, and nothing else', () => {
    fc.assert(
      fc.property(time, time, fc.array(time, { minLength: 20 }), (a, b, others) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const spans = toSpans(0, { start, end });
        for (const at of [start - 1, start, end - 1, end, ...others]) {
          expect(counted(spans, at)).toBe(Number(at >= start && at < end));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('takes one stretch for one that was counted as it is', () => {
    for (const grain of [1, 4, 24, 96]) {
      for (let n = 0; n < 96 / grain; n++) {
        const first = startOfGrain(NOW_QUARTER, 96) - 96 + n * grain;
        const [start, end] = [first * QUARTER_MS, (first + grain) * QUARTER_MS];
        expect(toSpans(0, { start, end }).counts).toEqual([
          { bucket: 0, sign: 1, grain, first, next: first + grain },
        ]);
      }
    }
  });

  it('takes three stretches for a day that begins at another hour, not nine', () => {
    const midnight = startOfGrain(NOW_QUARTER, 96) - 96;
    for (const hours of [-11, -5, -1, 1, 2, 6, 11]) {
      const start = (midnight + 4 * hours) * QUARTER_MS;
      const { counts } = toSpans(0, { start, end: start + 96 * QUARTER_MS });
      const rows = counts.reduce((sum, { grain, first, next }) => sum + (next - first) / grain, 0);
      expect(rows).toBeLessThanOrEqual(1 + 2 * 4);
      if (Math.abs(hours) === 1) expect(rows).toBe(3);
    }
  });
});
