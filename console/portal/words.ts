const DATE_TIME = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

/** A time in the reader's zone. */
export const dateTime = (at: string): string => DATE_TIME.format(new Date(at));

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A duration in its largest unit that is whole enough, as “24 hours”. */
export function duration(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= 2 * each) ?? ['minute', 60];
  const count = Math.round(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
