import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { QUARTER_MS } from '../../usage/quarter.js';
import { divide, toInterval } from './time-range.js';

const HOUR_MS = 3_600_000;
const days = (from: string, to: string, timezone: string) =>
  divide(toInterval({ from, to, timezone }), 'day', timezone);
const hours = (from: string, to: string, timezone: string) =>
  divide(toInterval({ from, to, timezone }), 'hour', timezone);

describe(divide.name, () => {
  it('gives days of 23 and 25 hours where the clock changes', () => {
    const lengths = (from: string, to: string) =>
      days(from, to, 'Europe/Berlin').map(({ start, end }) => (end - start) / HOUR_MS);
    expect(lengths('2026-03-28', '2026-03-31')).toEqual([24, 23, 24]);
    expect(lengths('2026-10-24', '2026-10-27')).toEqual([24, 25, 24]);
  });

  it('lists an hour that the clock repeats twice, and none that it skips', () => {
    const names = (day: string, next: string) =>
      hours(day, next, 'Europe/Berlin').map(({ date }) => date.slice(11, 16) + date.slice(23));
    expect(names('2026-10-25', '2026-10-26').slice(1, 4)).toEqual([
      ...['01:00+02:00', '02:00+02:00', '02:00+01:00'],
    ]);
    expect(names('2026-03-29', '2026-03-30').slice(1, 3)).toEqual(['01:00+01:00', '03:00+02:00']);
  });

  it('cuts the first and the last day at the ends of the interval', () => {
    const interval = toInterval({ from: '2026-11-01T10:00:00Z', to: '2026-11-02T10:00:00Z' });
    expect(divide(interval, 'day', 'UTC')).toMatchObject([
      { date: '2026-11-01', start: interval.start },
      { date: '2026-11-02', end: interval.end },
    ]);
  });

  it('covers an interval without gaps, and divides it between quarters of an hour', () => {
    const zones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
    const moment = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2026, 0) });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom('day' as const, 'hour' as const),
        moment,
        fc.integer({ min: 1, max: 60 * 24 * HOUR_MS }),
        (timezone, unit, start, length) => {
          const rows = divide({ start, end: start + length }, unit, timezone);
          const bounds = rows.slice(1).map((row) => row.start);
          expect([start, ...bounds]).toEqual(rows.map((row) => row.start));
          expect([...bounds, start + length]).toEqual(rows.map((row) => row.end));
          expect(bounds.filter((bound) => bound % QUARTER_MS !== 0)).toEqual([]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('refuses more than 2,200 rows', () => {
    expect(() => days('2000-01-01', '2026-01-01', 'UTC')).toThrow();
    expect(hours('2026-01-01', '2026-04-01', 'UTC')).toHaveLength(90 * 24);
  });
});

describe(toInterval.name, () => {
  it('takes a date for its midnight in the time zone', () => {
    expect(
      toInterval({ from: '2026-11-01', to: '2026-11-02', timezone: 'Asia/Kathmandu' }),
    ).toEqual({
      start: Date.parse('2026-10-31T18:15:00Z'),
      end: Date.parse('2026-11-01T18:15:00Z'),
    });
  });

  it('is today and the 29 days before by default, to the end of the quarter of an hour', () => {
    const { start, end } = toInterval({});
    expect(end % QUARTER_MS).toBe(0);
    expect(end - Date.now()).toBeGreaterThan(0);
    expect(divide({ start, end }, 'day', 'UTC')).toHaveLength(30);
  });

  it.each([
    { from: '2026-11-02', to: '2026-11-01' },
    { from: '2026-11-01', timezone: 'Mars/Olympus' },
    { from: '2026-11-01', timezone: '+01:00' },
  ])('refuses %j', (period) => {
    expect(() => toInterval(period)).toThrow();
  });
});
