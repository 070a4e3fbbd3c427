import { QUARTER_MS } from '../usage/quarter.js';
import { RECORDS_KEPT_MS } from '../usage/usage-record.entity.js';
import type { QuarterRange } from './report-queries.js';
import type { Interval } from './time-range.js';

const quarterBefore = (time: number) => Math.floor(time / QUARTER_MS);
const quarterAfter = (time: number) => Math.ceil(time / QUARTER_MS);

/** The quarters of an hour that an interval overlaps. */
export const quartersOverlapping = ({ start, end }: Interval): QuarterRange => ({
  first: quarterBefore(start),
  next: start < end ? quarterAfter(end) : quarterBefore(start),
});

/**
 * Splits an interval into whole quarter hours, to be read from the roll-up, and the edges at either
 * end, to be read from single records. If the records of an edge are removed already, its whole
 * quarter hour is read from the roll-up.
 */
export function split(interval: Interval): { whole: QuarterRange; edges: Interval[] } {
  const { start, end } = interval;
  if (start >= end) return { whole: { first: 0, next: 0 }, edges: [] };
  const oldestRecord = Date.now() - RECORDS_KEPT_MS;
  const first = start < oldestRecord ? quarterBefore(start) : quarterAfter(start);
  const next = end < oldestRecord ? quarterAfter(end) : quarterBefore(end);
  // The interval is within one quarter hour.
  if (first > next) return { whole: { first, next: first }, edges: [interval] };
  const edges = [
    { start, end: first * QUARTER_MS },
    { start: next * QUARTER_MS, end },
  ];
  return { whole: { first, next }, edges: edges.filter((edge) => edge.start < edge.end) };
}
