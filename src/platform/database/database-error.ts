import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { codeOf } from './driver-error.js';

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

/** Locked, full, read-only, or unreadable for now. */
const SQLITE_UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/;

/**
 * Connection lost or refused: classes 08, 53 and 57P, and the operating system's codes; a primary that
 * became a standby (25006).
 */
const POSTGRES_AWAY =
  /^(08...|25006|53...|57P0.|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** A statement cancelled by its timeout, or a transaction that was ended. */
const POSTGRES_CANCELLED = /^(57014|25P0[23])$/;

/** Errors of the driver that have no code. */
const POSTGRES_UNAVAILABLE_MESSAGE =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** The driver's error behind TypeORM's. */
export const causeOf = (error: unknown): unknown =>
  error instanceof QueryFailedError ? error.driverError : error;

/** Whether the database could not be used; false when it rejected the statement itself. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isDatabaseAway(error) ||
  error instanceof LockTimeoutError ||
  POSTGRES_CANCELLED.test(codeOf(error));

/** Whether any other statement would fail now, too; false for a statement that was cancelled. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  return (
    error instanceof WriteQueueFullError ||
    error instanceof CommitsWaitError ||
    // Thrown by TypeORM when the connection is lost between two statements of a transaction.
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError ||
    SQLITE_UNAVAILABLE.test(code) ||
    POSTGRES_AWAY.test(code) ||
    (error instanceof Error && POSTGRES_UNAVAILABLE_MESSAGE.test(error.message))
  );
}

/** PostgreSQL cancelled the statement, at its time limit or on request. */
export const isStatementCancelled = (error: unknown) => codeOf(error) === '57014';

/** The row that a foreign key refers to does not exist. */
export const isForeignKeyViolation = (error: unknown) =>
  ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'].includes(codeOf(causeOf(error)));

/** Another process holds SQLite's write lock. */
export const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
