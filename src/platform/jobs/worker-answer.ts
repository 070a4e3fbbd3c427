import { addFailures, type FailureCount, takeFailures } from '@latchkey/text/failures';

interface ErrorAnswer {
  readonly code: string;
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/**
 * A cloned error loses its class and code, so an error with a code is returned as an answer and thrown
 * again with that code.
 */
export type WorkerAnswer<Result> = (
  { readonly result: Result } | { readonly error: ErrorAnswer }
) & {
  /** Failures in the thread that did not fail the task. */
  readonly failures: readonly FailureCount[];
};

/** Wraps a task of a worker thread so that the caller can distinguish its errors by code. */
export function serializeErrors<Request, Result>(
  work: (request: Request) => Result | Promise<Result>,
) {
  return async (request: Request): Promise<WorkerAnswer<Result>> => {
    try {
      const result = await work(request);
      return { result, failures: takeFailures() };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) {
        throw error;
      }
      const { code, name, message, stack } = error;
      return { error: { code, name, message, stack }, failures: takeFailures() };
    }
  };
}

/** @throws Error with the code, name and stack of the one in the thread */
export function unwrapResult<Result>(answer: WorkerAnswer<Result>): Result {
  addFailures(answer.failures);
  if ('result' in answer) return answer.result;
  throw Object.assign(new Error(answer.error.message), answer.error);
}
