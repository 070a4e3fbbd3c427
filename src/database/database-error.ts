import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';

/** Cannot be read or written, for now: locked, full, damaged beneath, or read-only. */
const SQLITE_UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/;

/** Connection lost or refused: class 08, 57P, 53, and the system's own. */
const POSTGRES_AWAY =
  /^(08...|53...|57P0.|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** A statement cancelled by its timeout, or a transaction that has come to its end. */
const POSTGRES_CANCELLED = /^(57014|25P0[23])$/;

/** The driver's own words where it gives no code. */
const POSTGRES_UNAVAILABLE_MESSAGE =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether the database could not be used, rather than refused what it was asked. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isDatabaseAway(error) || POSTGRES_CANCELLED.test(codeOf(error));

/** Whether others would fare no better now. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  return (
    // TypeORM's, when a connection dies between two statements of a transaction.
    error instanceof QueryRunnerAlreadyReleasedError ||
    SQLITE_UNAVAILABLE.test(code) ||
    POSTGRES_AWAY.test(code) ||
    (error instanceof Error && POSTGRES_UNAVAILABLE_MESSAGE.test(error.message))
  );
}

/**
 * An earlier statement of the transaction has failed: in_failed_sql_transaction, or, where it would
 * have prepared this one, invalid_sql_statement_name.
 */
export const isAborted = (error: unknown) => ['25P02', '26000'].includes(codeOf(causeOf(error)));

/** A statement of PostgreSQL was ended by its time limit, or because that was asked for. */
export const isStatementCancelled = (error: unknown) => codeOf(error) === '57014';

/** What the driver says. */
export const causeOf = (error: unknown): unknown =>
  error instanceof QueryFailedError ? error.driverError : error;

/** What the row would belong to is not there. */
export const isForeignKeyViolation = (error: unknown) =>
  ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'].includes(codeOf(causeOf(error)));

/** Another process is writing. */
export const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

/** serialization_failure and deadlock_detected: nothing happened, and another try may succeed. */
export const isRetryable = (error: unknown) => ['40001', '40P01'].includes(codeOf(error));

/** @param error of the driver, which is the `driverError` of TypeORM's QueryFailedError */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
