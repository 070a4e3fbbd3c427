// Errors of the driver; separate from database-error.ts so that threads can use them without TypeORM.

/** The server is a standby, but the primary is needed: a standby may lack the latest revocations. */
export class StandbyError extends Error {
  override name = 'StandbyError';
  override message = 'The server is a standby';
  /** The SQLSTATE of a write on a standby. Worker threads return errors by their code. */
  readonly code = '25006';
}

/** The server did not answer: the connection may be to a machine that is gone. */
export const isUnanswered = (error: unknown) =>
  error instanceof Error && error.message === 'Query read timeout';

export type DatabaseFailure = 'away' | 'cancelled' | 'conflict';

/** Locked, full, read-only, or unreadable for now. */
const SQLITE_AWAY = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/;

/**
 * Connection lost or refused: classes 08, 53 and 57P, and the operating system's codes; a primary that
 * became a standby (25006); a transaction that was ended before its next statement (25P02, 25P03).
 */
const POSTGRES_AWAY =
  /^(08...|25006|25P0[23]|53...|57P0.|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Errors of the driver that have no code. */
const POSTGRES_AWAY_MESSAGE =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** query_canceled: at the time limit of the statement, or on request. */
const POSTGRES_CANCELLED = '57014';

/** serialization_failure and deadlock_detected. */
const POSTGRES_CONFLICT = /^(40001|40P01)$/;

/** Like `classifyFailure`, for errors of the driver. */
export function classifyDriverFailure(error: unknown): DatabaseFailure | undefined {
  const code = getErrorCode(error);
  if (code === POSTGRES_CANCELLED) return 'cancelled';
  if (POSTGRES_CONFLICT.test(code)) return 'conflict';
  if (SQLITE_AWAY.test(code) || POSTGRES_AWAY.test(code)) return 'away';
  return error instanceof Error && POSTGRES_AWAY_MESSAGE.test(error.message) ? 'away' : undefined;
}

/**
 * @param error an error of the driver, see `unwrapDriverError`; in tests its class may come from
 *   another realm
 */
export function getErrorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** A commit was not answered; it may be waiting for a synchronous standby. */
export class UnansweredCommitError extends Error {
  static readonly code = 'COMMIT_UNANSWERED';
  override name = 'UnansweredCommitError';
  override message = 'A commit got no answer';
  readonly code = UnansweredCommitError.code;
}
