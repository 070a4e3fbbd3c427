import type { Problem } from './types.js';

/** The codes of the service, and codes for requests that it did not answer. */
export type ErrorCode =
  | Problem['code']
  /** Nothing answers at the address. */
  | 'unreachable'
  /** No answer came in time. */
  | 'timed_out'
  /** The connection ended before the answer did. */
  | 'cut_off'
  /** Something else has answered, such as a proxy. */
  | 'not_latchkey';

/**
 * A request that was not answered. `code` never changes and is for programs, `message` is for
 * people.
 */
export class LatchkeyError extends Error {
  override readonly name = 'LatchkeyError';
  /** The HTTP status; 0 where there is none. In a stream, the status it would have been. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Quote it when you ask the service's operator for help. */
  readonly requestId: string | undefined;
  /** The problem that the service returned, with the fields of the request that are wrong. */
  readonly problem: Problem | undefined;

  private constructor(
    {
      status,
      code,
      message,
      problem,
    }: Pick<LatchkeyError, 'status' | 'code' | 'message' | 'problem'>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.problem = problem;
    this.requestId = problem?.request_id;
  }

  /** The service has refused the request. */
  static refused(problem: Problem): LatchkeyError {
    const { status, code, detail, errors = [] } = problem;
    const fields = errors.map(({ field, message }) => `; ${field}: ${message}`).join('');
    return new LatchkeyError({ status, code, message: detail + fields, problem });
  }

  static unreachable(url: string, cause: unknown): LatchkeyError {
    // The message of fetch is only "fetch failed"; Node.js keeps the system's code in the cause.
    const { code } = ((cause as { cause?: unknown }).cause ?? cause) as { code?: unknown };
    const reason = typeof code === 'string' ? ` (${code})` : '';
    return new LatchkeyError(
      {
        status: 0,
        code: 'unreachable',
        message: `Nothing answers at ${url}${reason}.`,
        problem: undefined,
      },
      { cause },
    );
  }

  static timedOut(url: string, timeoutMs: number): LatchkeyError {
    const message = `No answer came from ${url} in ${timeoutMs} ms.`;
    return new LatchkeyError({ status: 0, code: 'timed_out', message, problem: undefined });
  }

  static cutOff(status: number, cause?: unknown): LatchkeyError {
    const message = 'The connection ended before the answer did.';
    return new LatchkeyError({ status, code: 'cut_off', message, problem: undefined }, { cause });
  }

  static notLatchkey(status: number, url: string): LatchkeyError {
    const message = `Something other than Latchkey has answered at ${url}, with status ${status}.`;
    return new LatchkeyError({ status, code: 'not_latchkey', message, problem: undefined });
  }
}
