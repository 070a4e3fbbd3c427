/** Errors lose their class and code between threads; those with a code are given back with it. */
export type WorkerAnswer<Result> = { result: Result } | { code: string; message: string };

/** A task of a worker thread whose errors the caller tells apart by their code. */
export function serializeErrors<Request, Result>(
  work: (request: Request) => Result | Promise<Result>,
) {
  return async (request: Request): Promise<WorkerAnswer<Result>> => {
    try {
      return { result: await work(request) };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) {
        throw error;
      }
      return { code: error.code, message: error.message };
    }
  };
}

/** @throws Error with the code of the one in the thread */
export function resultOf<Result>(answer: WorkerAnswer<Result>): Result {
  if ('result' in answer) return answer.result;
  throw Object.assign(new Error(answer.message), { code: answer.code });
}
