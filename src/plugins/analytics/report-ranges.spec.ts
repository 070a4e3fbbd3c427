import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { QUARTER_MS } from '../../usage/quarter.js';
import { REQUESTS_KEPT_MS } from '../../usage/usage-count.entity.js';
import { quartersOverlapping, split } from './report-ranges.js';

const DAY_MS = 86_400_000;
/** A quarter of an hour of yesterday begins here. */
const BASE = Math.floor((Date.now() - DAY_MS) / QUARTER_MS) * QUARTER_MS;
const quarter = BASE / QUARTER_MS;

describe(split.name, () => {
  it('takes whole quarters, and single requests for the rest', () => {
    expect(split({ start: BASE, end: BASE + 4 * QUARTER_MS })).toEqual({
      whole: { start: BASE, end: BASE + 4 * QUARTER_MS },
      edges: [],
    });
    expect(split({ start: BASE + 1, end: BASE + 2 * QUARTER_MS + 5 })).toEqual({
      whole: { start: BASE + QUARTER_MS, end: BASE + 2 * QUARTER_MS },
      edges: [
        { start: BASE + 1, end: BASE + QUARTER_MS },
        { start: BASE + 2 * QUARTER_MS, end: BASE + 2 * QUARTER_MS + 5 },
      ],
    });
    const within = { start: BASE + 1, end: BASE + 5 };
    expect(split(within)).toMatchObject({ edges: [within] });
  });

  it('takes nothing for an empty interval', () => {
    const empty = { whole: { start: 0, end: 0 }, edges: [] };
    expect(split({ start: BASE + 1, end: BASE + 1 })).toEqual(empty);
    expect(split({ start: BASE - 100 * DAY_MS + 1, end: BASE - 100 * DAY_MS + 1 })).toEqual(empty);
  });

  it('covers each moment of an interval once, whatever its ends', () => {
    const time = fc.integer({ min: BASE, max: BASE + DAY_MS });
    fc.assert(
      fc.property(fc.tuple(time, time), ([a, b]) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const { whole, edges } = split({ start, end });
        const parts = [whole, ...edges].filter((part) => part.start < part.end);
        parts.sort((one, other) => one.start - other.start);
        expect(parts.flatMap((part) => [part.start, part.end]).filter(isUnpaired)).toEqual(
          start < end ? [start, end] : [],
        );
      }),
    );
  });

  it('takes the whole quarter where the requests are removed', () => {
    const start = BASE - REQUESTS_KEPT_MS + 1;
    const first = Math.floor(start / QUARTER_MS) * QUARTER_MS;
    expect(split({ start, end: start + QUARTER_MS })).toEqual({
      whole: { start: first, end: first + 2 * QUARTER_MS },
      edges: [],
    });
  });
});

describe(quartersOverlapping.name, () => {
  it('are those that an interval begins in, ends in, and has in between', () => {
    const end = BASE + 2 * QUARTER_MS;
    expect(quartersOverlapping({ start: BASE + 1, end: end + 1 })).toEqual({
      first: quarter,
      next: quarter + 3,
    });
    expect(quartersOverlapping({ start: BASE, end }).next).toBe(quarter + 2);
    expect(quartersOverlapping({ start: BASE + 1, end: BASE + 1 })).toEqual({
      first: quarter,
      next: quarter,
    });
  });
});

/** Whether a bound is not also the bound of the neighbouring part. */
const isUnpaired = (bound: number, _: number, bounds: number[]) =>
  bounds.filter((other) => other === bound).length === 1;
