import type Database from 'better-sqlite3';

/** The version of an index file's tables, kept in `user_version`: negative during a rebuild. */
const FORMAT = 5;

/** `outdated` means another version, or no tables. */
export type IndexState = 'complete' | 'rebuilding' | 'outdated';

export function readState(index: Database.Database): IndexState {
  const format = index.pragma('user_version', { simple: true });
  if (format === FORMAT) return 'complete';
  return format === -FORMAT ? 'rebuilding' : 'outdated';
}

export function writeState(index: Database.Database, state: 'complete' | 'rebuilding'): void {
  index.pragma(`user_version = ${state === 'complete' ? FORMAT : -FORMAT}`);
}
