import { describe, expect, it } from '@jest/globals';
import { nextRunAt, scheduleProblem } from './schedule.js';

const NOW = new Date('2026-03-28T12:00:30.000Z');

describe('nextRunAt', () => {
  it('is some minutes later', () => {
    expect(nextRunAt({ every_minutes: 5 }, NOW)).toEqual(new Date('2026-03-28T12:05:30.000Z'));
  });

  it('is the next time of a cron expression in its time zone, across the change of clocks', () => {
    const schedule = { cron: '0 6 * * *', timezone: 'Europe/Berlin' };
    expect(nextRunAt(schedule, NOW)).toEqual(new Date('2026-03-29T04:00:00.000Z'));
    expect(nextRunAt({ ...schedule, timezone: 'UTC' }, NOW)?.getUTCHours()).toBe(6);
  });

  it('is null without a schedule', () => {
    expect(nextRunAt(null, NOW)).toBeNull();
  });
});

describe('scheduleProblem', () => {
  it('takes five fields and a known time zone', () => {
    expect(scheduleProblem('*/10 8-18 * * 1-5', 'America/New_York')).toBeUndefined();
  });

  it.each(['', '* * * *', '* * * * * *', '61 * * * *', '0 0 31 2 *', 'daily', '@daily'.repeat(9)])(
    'refuses %j',
    (cron) => {
      expect(scheduleProblem(cron, 'UTC')).toMatch('schedule.cron');
    },
  );

  it('refuses an unknown time zone', () => {
    expect(scheduleProblem('0 6 * * *', 'Mars/Olympus')).toMatch('schedule.timezone');
  });
});
