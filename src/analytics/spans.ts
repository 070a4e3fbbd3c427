import { GRAINS, QUARTER_MS } from '../usage/quarters.js';
import { RECORDS_KEPT_MS } from '../usage/records-kept.js';
import type { Interval } from './time-range.js';

/** Rows of UsageCount and UsageLatency that make up part of a bucket of a report. */
export interface CountSpan {
  readonly bucket: number;
  /** 1 to add them, -1 to take them off what other spans of the bucket have too much. */
  readonly sign: number;
  readonly grain: number;
  readonly first: number;
  /** Behind the last. */
  readonly next: number;
}

/** Rows of UsageRecord that do: less than a quarter of an hour. */
export interface RecordSpan extends Interval {
  readonly bucket: number;
}

const firstWithin = (time: number) => Math.ceil(time / QUARTER_MS);
const lastBefore = (time: number) => Math.floor(time / QUARTER_MS);

/**
 * What to add up for an interval: the longest stretches that were counted, and single records where
 * it cuts a quarter of an hour in two. Records that are gone are made up for by the whole quarter.
 */
export function toSpans(
  bucket: number,
  { start, end }: Interval,
): { counts: CountSpan[]; records: RecordSpan[] } {
  if (start >= end) return { counts: [], records: [] };
  const oldest = Date.now() - RECORDS_KEPT_MS;
  const first = start < oldest ? lastBefore(start) : firstWithin(start);
  const next = end < oldest ? firstWithin(end) : lastBefore(end);
  if (first > next) return { counts: [], records: [{ bucket, start, end }] };
  const edges = [
    { bucket, start, end: first * QUARTER_MS },
    { bucket, start: next * QUARTER_MS, end },
  ];
  return {
    counts: cover(first, next).map((span) => ({ bucket, ...span })),
    records: edges.filter((edge) => edge.start < edge.end),
  };
}

/**
 * Few stretches that add up to the time from `first` until before `next`: a day that begins
 * an hour early is a day, and an hour, less its last hour.
 */
function cover(
  first: number,
  next: number,
  sign = 1,
  [grain, ...shorter]: readonly number[] = GRAINS,
): Omit<CountSpan, 'bucket'>[] {
  if (grain === undefined || first === next) return [];
  const from = Math.round(first / grain) * grain;
  const to = Math.round(next / grain) * grain;
  const isShort = 2 * (next - first) < grain;
  if (isShort || from >= to) return cover(first, next, sign, shorter);
  const rest = (start: number, end: number) =>
    start < end ? cover(start, end, sign, shorter) : cover(end, start, -sign, shorter);
  return [...rest(first, from), { sign, grain, first: from, next: to }, ...rest(to, next)];
}

/** The quarters of an hour that an interval touches: of UsageEndUser, from `first` until before `next`. */
export const quartersTouched = ({ start, end }: Interval): { first: number; next: number } => ({
  first: lastBefore(start),
  next: start < end ? firstWithin(end) : lastBefore(start),
});
