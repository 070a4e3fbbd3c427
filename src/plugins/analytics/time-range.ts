import { DateTime, FixedOffsetZone, IANAZone } from 'luxon';
import { invalidField } from '../../platform/problems/problem.js';
import { QUARTER_MS, toQuarter } from '../../usage/quarter.js';

/** The maximum number of rows of a report. */
const MAX_ROWS = 2200;
const DEFAULT_DAYS = 30;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From `start` (inclusive) to `end` (exclusive), in milliseconds since 1970. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** An hour or a day of a report, with its name. */
interface NamedInterval extends Interval {
  readonly date: string;
}

export interface Period {
  readonly from?: string;
  readonly to?: string;
  readonly timezone?: string;
}

/**
 * The period of a report. The default is today, until the end of the current quarter hour, and the 29
 * days before.
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
      ? DateTime.fromMillis((toQuarter(new Date()) + 1) * QUARTER_MS, { zone })
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

/**
 * A time zone may move a time into the year 0 or 10000, which ISO dates of four digits cannot show.
 */
function requirePlainYears(field: string, time: DateTime): void {
  const years = [time.year, time.toUTC().year];
  if (years.some((year) => !(year >= 1 && year <= 9999))) {
    throw invalidField(field, `${field} must be within the years 0001 to 9999`);
  }
}

/**
 * Divides an interval into the hours or days of a time zone; the first and the last may be cut short.
 * When a clock change repeats an hour, it is listed twice; an hour that it skips is not listed.
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
    rows.push({ date, start: Math.max(start, interval.start), end: Math.min(end, interval.end) });
    start = end;
  }
  return rows;
}

/** Avoids luxon on days without a clock change, because luxon is many times slower. */
function dayAt(start: number, zone: IANAZone): { date: string; end: number } {
  const offset = zone.offset(start);
  const localMs = start + offset * MINUTE_MS;
  if (localMs % DAY_MS === 0 && zone.offset(start + DAY_MS) === offset) {
    return { date: new Date(localMs).toISOString().split('T')[0] ?? '', end: start + DAY_MS };
  }
  const day = DateTime.fromMillis(start, { zone });
  // If a clock change skips midnight, the day begins later.
  return { date: day.toISODate() ?? '', end: day.plus({ days: 1 }).startOf('day').toMillis() };
}

/**
 * Returns an hour, named by its local time with the offset from UTC. There may be 2,200, so it avoids
 * luxon. After a clock change by half an hour, the next hour is half as long.
 */
function hourAt(start: number, zone: IANAZone): { date: string; end: number } {
  const offset = zone.offset(start);
  const localMs = start + offset * MINUTE_MS;
  const local = new Date(localMs).toISOString();
  const name = offset === 0 ? 'Z' : FixedOffsetZone.instance(offset).formatOffset(start, 'short');
  return { date: local.replace('Z', name), end: start + HOUR_MS - modulo(localMs, HOUR_MS) };
}

/** The remainder is never negative, even for times before 1970. */
const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor;
