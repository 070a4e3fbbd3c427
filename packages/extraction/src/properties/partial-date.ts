const DAY_MS = 86_400_000;
/** Earlier dates are those of clocks and archives that were never set. */
const FIRST_YEAR = 1981;
/** ISO 8601, also without the rest, and as PDF writes it: `D:20250301120000`. */
const WRITTEN = /^(?:D:)?(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?/;

/**
 * The day of a date in a file, or its month or year if it has no more, as it stands there: no time zone may move it.
 * Undefined for what is no date, or one that cannot be right.
 */
export function readPartialDate(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  const [, year, month, day] = WRITTEN.exec(trimmed) ?? [];
  if (year === undefined) return toDay(readMailDate(trimmed));
  const parts = [year, month, day].filter((part) => part !== undefined);
  return toDay(parts.join('-'));
}

/** "Sat, 1 Mar 2025 12:00:00 +0100" */
function readMailDate(text: string): string {
  const [, day = '', month = '', year = ''] = /(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})/.exec(text) ?? [];
  const ms = Date.parse(`${day} ${month} ${year} UTC`);
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 10);
}

function toDay(date: string): string | undefined {
  const ms = Date.parse(date);
  const isDate = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
  const isLikely = Number(date.slice(0, 4)) >= FIRST_YEAR && ms <= Date.now() + DAY_MS;
  return date !== '' && isDate && isLikely ? date : undefined;
}
