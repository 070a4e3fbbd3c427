import { Cron } from 'croner';

/** The schedule by which a source is run. */
export type Schedule =
  { readonly every_minutes: number } | { readonly cron: string; readonly timezone: string };

const MINUTE_MS = 60_000;

/** @returns what is wrong with a cron expression or its time zone; undefined if it is valid */
export function scheduleProblem(cron: string, timezone: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    return 'schedule.timezone must be a time zone, such as Europe/Berlin';
  }
  try {
    if (open(cron, timezone).nextRun()) return undefined;
  } catch {
    // The expression is invalid.
  }
  return 'schedule.cron must have five fields, such as 0 6 * * 1-5, and a time to come';
}

/** @returns the first time after `now`; null if there is none */
export function nextRunAt(schedule: Schedule | null, now: Date): Date | null {
  if (!schedule) return null;
  if ('every_minutes' in schedule) {
    return new Date(now.getTime() + schedule.every_minutes * MINUTE_MS);
  }
  return open(schedule.cron, schedule.timezone).nextRun(now);
}

const open = (cron: string, timezone: string) =>
  new Cron(cron, { timezone, paused: true, mode: '5-part' });
