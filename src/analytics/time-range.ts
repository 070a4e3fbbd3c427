import { DateTime, FixedOffsetZone, IANAZone } from 'luxon';
import { invalidField } from '../problems/problem.js';
import { QUARTER_MS, quarterOf } from '../usage/quarter.js';

/** Rows of a report at most. */
const MAX_ROWS = 2200;
const DEFAULT_DAYS = 30;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From `start` until before `end`, in milliseconds from 1970. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** An hour or a day of a report, with its name. */
export interface NamedInterval extends Interval {
  readonly date: string;
}

export interface Period {
  readonly from?: string;
  readonly to?: string;
  readonly timezone?: string;
}

/**
 * The time of a report. By default the last 30 days: today, to the end of the current quarter of an
 * hour, and the 29 days before.
 *
 * @throws Problem `validation_failed`
 */
export function toInterval({ from, to, timezone = 'UTC' }: Period): Interval {
  const zone = IANAZone.create(timezone);
  // Node.js 22 and later also know offsets such as +01:00, which have no daylight-saving time.
  if (!zone.isValid || /^[+-]/.test(timezone)) {
    throw invalidField('timezone', 'timezone must be a name such as Europe/Berlin');
  }
  const end =
    to === undefined
      ? DateTime.fromMillis((quarterOf(new Date()) + 1) * QUARTER_MS, { zone })
      : DateTime.fromISO(to, { zone });
  const start =
    from === undefined
      ? end
          .minus({ milliseconds: 1 })
          .startOf('day')
          .minus({ days: DEFAULT_DAYS - 1 })
      : DateTime.fromISO(from, { zone });
  requirePlainYears('from', start);
  requirePlainYears('to', end);
  if (start > end) throw invalidField('from', 'from must not be after to');
  return { start: start.toMillis(), end: end.toMillis() };
}

/** In another time zone, a time may be in the year 0 or 10000, which dates of four digits lack. */
function requirePlainYears(field: string, time: DateTime): void {
  const years = [time.year, time.toUTC().year];
  if (years.some((year) => !(year >= 1 && year <= 9999))) {
    throw invalidField(field, `${field} must be within the years 0001 to 9999`);
  }
}

/**
 * The hours or days of an interval in a time zone; the first and the last may be cut short. An hour
 * that the clock repeats is listed twice, one that it skips is not listed.
 *
 * @throws Problem `validation_failed` for more than 2,200
 */
export function divide(
  interval: Interval,
  unit: 'day' | 'hour',
  timezone: string,
): NamedInterval[] {
  const rows: NamedInterval[] = [];
  const zone = IANAZone.create(timezone);
  const first = DateTime.fromMillis(interval.start, { zone }).startOf(unit).toMillis();
  for (let start = first; start < interval.end;) {
    if (rows.length === MAX_ROWS) {
      throw invalidField('interval', `a report has at most ${MAX_ROWS} rows: ask for less time`);
    }
    const { date, end } = unit === 'day' ? dayAt(start, zone) : hourAt(start, zone);
    rows.push({
      date,
      start: Math.max(start, interval.start),
      end: Math.min(end, interval.end),
    });
    start = end;
  }
  return rows;
}

/** By plain arithmetic where the clock does not change: luxon takes many times as long. */
function dayAt(start: number, zone: IANAZone): { date: string; end: number } {
  const offset = zone.offset(start);
  const localMs = start + offset * MINUTE_MS;
  if (localMs % DAY_MS === 0 && zone.offset(start + DAY_MS) === offset) {
    return { date: new Date(localMs).toISOString().split('T')[0] ?? '', end: start + DAY_MS };
  }
  const day = DateTime.fromMillis(start, { zone });
  // Where the clock skips midnight, the day begins later.
  return { date: day.toISODate() ?? '', end: day.plus({ days: 1 }).startOf('day').toMillis() };
}

/**
 * Named by its local time with the offset from UTC, by plain arithmetic, since there are up to 2,200.
 * Where the clock is changed by half an hour, the next hour is half as long.
 */
function hourAt(start: number, zone: IANAZone): { date: string; end: number } {
  const offset = zone.offset(start);
  const localMs = start + offset * MINUTE_MS;
  const local = new Date(localMs).toISOString();
  const name = offset === 0 ? 'Z' : FixedOffsetZone.instance(offset).formatOffset(start, 'short');
  return { date: local.replace('Z', name), end: start + HOUR_MS - modulo(localMs, HOUR_MS) };
}

/** Also of times before 1970. */
const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor;
