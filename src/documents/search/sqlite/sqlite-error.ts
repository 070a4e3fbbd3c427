import Database from 'better-sqlite3';

export const hasErrorCode = (error: unknown, code: RegExp): boolean =>
  error instanceof Database.SqliteError && code.test(error.code);
