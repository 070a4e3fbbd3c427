import { Config } from '../config/config.js';
import { ConfigurationError } from '../config/configuration-error.js';
import { sqliteFile } from './data-source-options.js';
import { StandbyError } from './driver-error.js';

/** Reasons for a failed connection, by the code of the driver or of PostgreSQL. */
const POSTGRES_REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be resolved',
  ETIMEDOUT: 'no answer',
  ECONNRESET: 'the connection was closed',
  '28P01': 'the user name or password was refused',
  '28000': 'the user may not connect',
  '3D000': 'there is no such database',
  '42501': 'the user may not change the schema',
  '53300': 'the server has no connection to spare',
  '57P03': 'the server is starting or stopping',
};

/** Reasons why DATA_DIR cannot be used, by the code of SQLite or of the operating system. */
const DATA_DIR_REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(SQLITE_(CANTOPEN|READONLY)|EACCES|EPERM|EROFS)/, 'it must be writable'],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, 'the disk is full'],
  [/^(EEXIST|ENOTDIR)/, 'it must be a directory'],
  [/^SQLITE_BUSY/, 'another process has locked the database'],
];

/** SQLite's integrity check failed. */
export class DamagedFileError extends Error {
  readonly code = 'SQLITE_CORRUPT';
}

/**
 * Returns a ConfigurationError for problems the operator can fix. It omits the URL, which contains a
 * password.
 */
export function asStartProblem(error: unknown, config: Config): unknown {
  if (!(error instanceof Error) || error instanceof ConfigurationError) return error;
  if (error instanceof StandbyError) {
    return new ConfigurationError(
      'DATABASE_URL leads to a standby; it must lead to the primary, and DATABASE_REPLICA_URL to the standby',
    );
  }
  const code = 'code' in error ? String(error.code) : '';
  if (config.postgres) {
    const reason =
      POSTGRES_REASONS[code] ??
      (/timeout|terminated/i.test(error.message) ? 'no answer' : undefined);
    return reason === undefined
      ? error
      : new ConfigurationError(`The database of DATABASE_URL cannot be used: ${reason}`);
  }
  const [, reason] = DATA_DIR_REASONS.find(([pattern]) => pattern.test(code)) ?? [];
  if (reason !== undefined) {
    return new ConfigurationError(`DATA_DIR, ${config.DATA_DIR}, cannot be used: ${reason}`);
  }
  // A damaged file is never replaced by a new one.
  return /^SQLITE_(NOTADB|CORRUPT)/.test(code)
    ? new ConfigurationError(
        `${sqliteFile(config)} is not a readable database; restore it from a backup`,
      )
    : error;
}
