import type Database from 'better-sqlite3';

/** The version of an index file's tables, kept in `user_version`: negative during a rebuild. */
const FORMAT = 3;
/** The version before, whose table of FTS5 is searched until its passages are indexed again. */
const FORMER_FORMAT = 2;

/** `former`: has the tables of the version before; `outdated`: of an earlier one, or none. */
export type IndexState = 'complete' | 'rebuilding' | 'former' | 'outdated';

export function readState(index: Database.Database): IndexState {
  const format = index.pragma('user_version', { simple: true });
  if (format === FORMAT) return 'complete';
  if (format === FORMER_FORMAT) return 'former';
  return format === -FORMAT ? 'rebuilding' : 'outdated';
}

export function writeState(index: Database.Database, state: 'complete' | 'rebuilding'): void {
  index.pragma(`user_version = ${state === 'complete' ? FORMAT : -FORMAT}`);
}

/** The table of the former format, of which a passage is left out once it is indexed again. */
export const FORMER_TABLE = 'passages';

export const hasFormerTable = (index: Database.Database): boolean =>
  index.prepare(`SELECT 1 FROM main.sqlite_schema WHERE name = ?`).get(FORMER_TABLE) !== undefined;
