import { QueryRunnerAlreadyReleasedError } from 'typeorm';

/** Cannot be read or written, for now: locked, full, damaged beneath, or read-only. */
const SQLITE_UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/;

/**
 * Connection lost or refused (class 08, 57P, 53, and the system's own), or a statement cancelled by
 * its timeout (57014).
 */
const POSTGRES_UNAVAILABLE =
  /^(08...|53...|57P0.|57014|25P0[23]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** The driver's own words where it gives no code. */
const POSTGRES_UNAVAILABLE_MESSAGE =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether the database could not be used, rather than refused what it was asked. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  return (
    // TypeORM's, when a connection dies between two statements of a transaction.
    error instanceof QueryRunnerAlreadyReleasedError ||
    SQLITE_UNAVAILABLE.test(code) ||
    POSTGRES_UNAVAILABLE.test(code) ||
    (error instanceof Error && POSTGRES_UNAVAILABLE_MESSAGE.test(error.message))
  );
}

export const isForeignKeyViolation = (error: unknown) =>
  ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'].includes(codeOf(error));

/** Another process is writing. */
export const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

/** serialization_failure and deadlock_detected: nothing happened, and another try may succeed. */
export const isRetryable = (error: unknown) => ['40001', '40P01'].includes(codeOf(error));

/** @param error of the driver, which is the `driverError` of TypeORM's QueryFailedError */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
