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
 * What to add up for an interval: rows of the roll-up for its whole quarters of an hour, and single
 * records for the rest at either end. Where the records have been removed already, the whole quarter
 * counts.
 */
export function split(interval: Interval): { whole: QuarterRange; edges: Interval[] } {
  const { start, end } = interval;
  if (start >= end) return { whole: { first: 0, next: 0 }, edges: [] };
  const oldestRecord = Date.now() - RECORDS_KEPT_MS;
  const first = start < oldestRecord ? quarterBefore(start) : quarterAfter(start);
  const next = end < oldestRecord ? quarterAfter(end) : quarterBefore(end);
  // It begins and ends within the same quarter.
  if (first > next) return { whole: { first, next: first }, edges: [interval] };
  const edges = [
    { start, end: first * QUARTER_MS },
    { start: next * QUARTER_MS, end },
  ];
  return { whole: { first, next }, edges: edges.filter((edge) => edge.start < edge.end) };
}
