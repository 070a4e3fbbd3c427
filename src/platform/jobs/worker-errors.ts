/** A thread or process cannot be started now. Nothing was done; a later attempt may succeed. */
export class WorkerUnavailableError extends Error {
  override name = 'WorkerUnavailableError';

  /**
   * @param retryAfterMs the time until the next attempt to start one
   * @param part the part of the service it belongs to, as users call it
   */
  constructor(
    worker: string,
    readonly retryAfterMs: number,
    readonly part?: string,
  ) {
    super(`${worker} cannot be started`);
  }
}

/** A thread ended during a task, possibly because of it. */
export class WorkerDiedError extends Error {
  override name = 'WorkerDiedError';
}
