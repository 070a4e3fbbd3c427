import type { SourceEntry } from '@latchkey/sources/source-kind';

const DAY_MS = 86_400_000;

/**
 * The day on which a document was changed, as its source says; null for what stands for no date, such as the
 * first day of the clock of computers, and for the future.
 */
export function readDate({ modifiedAt }: Pick<SourceEntry, 'modifiedAt'>): string | null {
  const time = modifiedAt?.getTime() ?? Number.NaN;
  const isDate = time >= DAY_MS && time <= Date.now() + DAY_MS;
  return isDate ? new Date(time).toISOString().slice(0, 10) : null;
}
