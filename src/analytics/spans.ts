import { GRAINS, QUARTER_MS, QUARTERS_PER_DAY } from '../usage/quarters.js';
import { RECORDS_KEPT_MS } from '../usage/usage-purge.js';
import type { Interval } from './time-range.js';

/** Rows of UsageCount and UsageLatency that make up part of a bucket of a report. */
export interface CountSpan {
  readonly bucket: number;
  readonly grain: number;
  readonly first: number;
  /** Behind the last. */
  readonly next: number;
}

/** Rows of UsageRecord that do: less than a quarter of an hour. */
export interface RecordSpan extends Interval {
  readonly bucket: number;
}

/** Bits of rows of UsageEndUser that do. */
export interface EndUserSpan {
  readonly bucket: number;
  readonly day: number;
  readonly morning: number;
  readonly afternoon: number;
}

const HALF_DAY = QUARTERS_PER_DAY / 2;

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

/** The longest stretches from `first` until before `next`. */
function cover(
  first: number,
  next: number,
  [grain, ...shorter]: readonly number[] = GRAINS,
): Omit<CountSpan, 'bucket'>[] {
  if (grain === undefined || first === next) return [];
  const from = Math.ceil(first / grain) * grain;
  const to = Math.floor(next / grain) * grain;
  if (from >= to) return cover(first, next, shorter);
  return [
    ...cover(first, from, shorter),
    { grain, first: from, next: to },
    ...cover(to, next, shorter),
  ];
}

/** The quarters of an hour that an interval touches, by days. */
export function toEndUserSpans(bucket: number, { start, end }: Interval): EndUserSpan[] {
  const first = lastBefore(start);
  const next = firstWithin(end);
  const spans: EndUserSpan[] = [];
  for (let day = Math.floor(first / QUARTERS_PER_DAY); day * QUARTERS_PER_DAY < next; day++) {
    const midnight = day * QUARTERS_PER_DAY;
    spans.push({
      bucket,
      day,
      morning: bits(first - midnight, next - midnight),
      afternoon: bits(first - midnight - HALF_DAY, next - midnight - HALF_DAY),
    });
  }
  return spans;
}

/** A half-day's bits from `first` until before `next`, as far as they are its own. */
function bits(first: number, next: number): number {
  const from = Math.min(HALF_DAY, Math.max(0, first));
  const to = Math.min(HALF_DAY, Math.max(0, next));
  return 2 ** to - 2 ** from;
}
