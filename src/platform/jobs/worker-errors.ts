/** A thread or process cannot be started now. Nothing was done, and the same works later. */
export class WorkerUnavailableError extends Error {
  override name = 'WorkerUnavailableError';

  /**
   * @param retryAfterMs until the next attempt to start one
   * @param part what it is part of, as users call it
   */
  constructor(
    worker: string,
    readonly retryAfterMs: number,
    readonly part?: string,
  ) {
    super(`${worker} cannot be started`);
  }
}

/** A thread ended during a task, which may be the reason. */
export class WorkerDiedError extends Error {
  override name = 'WorkerDiedError';
}
