import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { getErrorCode, type DatabaseFailure, classifyDriverFailure } from './driver-error.js';

/**
 * Too many units of work are waiting for SQLite's writing connection, or too many uploads for their
 * turn.
 */
export class WriteQueueFullError extends Error {
  override name = 'WriteQueueFullError';
  override message = 'Too many writes are waiting';
}

/** Another transaction kept a row locked for longer than the statement timeout. */
export class LockTimeoutError extends Error {
  override name = 'LockTimeoutError';
}

/** Earlier commits are waiting for a synchronous standby of PostgreSQL. */
export class CommitsWaitError extends Error {
  override name = 'CommitsWaitError';
  override message = 'Earlier commits wait for a synchronous standby';
}

/** Returns the driver's error that TypeORM wraps. */
export const unwrapDriverError = (error: unknown): unknown =>
  error instanceof QueryFailedError ? error.driverError : error;

/**
 * Classifies a failure of the database, as opposed to an error in the statement.
 *
 * @returns `away` if every statement would fail now; `cancelled` if this one took too long; `conflict`
 *   if the transaction was rolled back and may be run again
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
