// Errors of the driver, apart from database-error.ts so that a thread can use them without TypeORM.

/** The server is a standby, where the primary is needed: it may lack the latest revocations. */
export class StandbyError extends Error {
  override name = 'StandbyError';
  override message = 'The server is a standby';
  /** The SQLSTATE of a write on a standby. Worker threads return errors by their code. */
  readonly code = '25006';
}

/** Nothing came back from the server: the connection may be to a machine that is gone. */
export const isUnanswered = (error: unknown) =>
  error instanceof Error && error.message === 'Query read timeout';

/** serialization_failure and deadlock_detected: a rolled back transaction that may be retried. */
export const isRetryable = (error: unknown) => ['40001', '40P01'].includes(codeOf(error));

/** @param error of the driver, see `causeOf`; in tests its class may be that of another realm */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** A commit got no answer: it may wait for a synchronous standby. */
export class UnansweredCommitError extends Error {
  static readonly code = 'COMMIT_UNANSWERED';
  override name = 'UnansweredCommitError';
  override message = 'A commit got no answer';
  readonly code = UnansweredCommitError.code;
}
