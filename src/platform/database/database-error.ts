import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { getErrorCode, type DatabaseFailure, classifyDriverFailure } from './driver-error.js';

/** Too many units of work wait for SQLite's one writing connection, or uploads for their turn. */
export class WriteQueueFullError extends Error {
  override name = 'WriteQueueFullError';
  override message = 'Too many writes wait';
}

/** Another transaction has kept a row locked for longer than a statement may take. */
export class LockTimeoutError extends Error {
  override name = 'LockTimeoutError';
}

/** Earlier commits wait for a synchronous standby of PostgreSQL. */
export class CommitsWaitError extends Error {
  override name = 'CommitsWaitError';
  override message = 'Earlier commits wait for a synchronous standby';
}

/** The driver's error behind TypeORM's. */
export const unwrapDriverError = (error: unknown): unknown =>
  error instanceof QueryFailedError ? error.driverError : error;

/**
 * Whether the database failed, rather than the statement that it was given.
 *
 * @returns `away` when any other statement would fail now, too; `cancelled` when this one took too long;
 *   `conflict` when the transaction was rolled back and may be run again
 */
export function classifyFailure(error: unknown): DatabaseFailure | undefined {
  const cause = unwrapDriverError(error);
  if (cause instanceof LockTimeoutError) return 'cancelled';
  return isRefused(cause) ? 'away' : classifyDriverFailure(cause);
}

const isRefused = (error: unknown): boolean =>
  error instanceof WriteQueueFullError ||
  error instanceof CommitsWaitError ||
  // Thrown by TypeORM when the connection is lost between two statements of a transaction.
  error instanceof QueryRunnerAlreadyReleasedError ||
  error instanceof QueryRunnerProviderAlreadyReleasedError;

/** The row that a foreign key refers to does not exist. */
export const isForeignKeyViolation = (error: unknown) =>
  ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'].includes(getErrorCode(unwrapDriverError(error)));
