/** A task for a worker thread that can be cancelled. */
export type Cancellable<Task> = Task & {
  /** Shared memory that is not 0 once the client has disconnected. */
  readonly cancelled: Int32Array;
};

/**
 * Runs a task in a worker thread that is cancelled when the client disconnects.
 *
 * @param run gets shared memory for the thread, which becomes nonzero when the client disconnects
 * @throws the signal's reason, once the thread has stopped
 */
export async function runCancellable<T>(
  signal: AbortSignal | undefined,
  run: (cancelled: Int32Array) => Promise<T>,
): Promise<T> {
  const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const cancel = () => Atomics.store(cancelled, 0, 1);
  signal?.addEventListener('abort', cancel);
  try {
    const result = await run(cancelled);
    signal?.throwIfAborted();
    return result;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** Called in the thread: whether the client has disconnected. */
export const isCancelled = (cancelled: Int32Array): boolean => Atomics.load(cancelled, 0) !== 0;
