import { QUARTER_MS } from '../../usage/quarter.js';
import { REQUESTS_KEPT_MS } from '../../usage/usage-count.entity.js';
import type { Range } from '../../platform/reports/report-queries.js';
import type { Interval } from './time-range.js';

const quarterBefore = (time: number) => Math.floor(time / QUARTER_MS);
const quarterAfter = (time: number) => Math.ceil(time / QUARTER_MS);

/** The quarters of an hour that an interval overlaps. */
export const quartersOverlapping = ({ start, end }: Interval): Range => ({
  first: quarterBefore(start),
  next: start < end ? quarterAfter(end) : quarterBefore(start),
});

/**
 * Splits an interval into whole quarter hours and the edges at either end, whose single requests are
 * read. If the requests of an edge are removed already, its whole quarter hour is read instead.
 */
export function split(interval: Interval): { whole: Interval; edges: Interval[] } {
  const { start, end } = interval;
  if (start >= end) return { whole: { start: 0, end: 0 }, edges: [] };
  const oldest = Date.now() - REQUESTS_KEPT_MS;
  const whole = {
    start: QUARTER_MS * (start < oldest ? quarterBefore(start) : quarterAfter(start)),
    end: QUARTER_MS * (end < oldest ? quarterAfter(end) : quarterBefore(end)),
  };
  // The interval is within one quarter hour.
  if (whole.start > whole.end) return { whole: { start: 0, end: 0 }, edges: [interval] };
  const edges = [
    { start, end: whole.start },
    { start: whole.end, end },
  ];
  return { whole, edges: edges.filter((edge) => edge.start < edge.end) };
}
