const STEP_MS = 1000;

/**
 * Calls back after this process has run for a time. While it is stopped, as by SIGSTOP or on a
 * suspended host, or its event loop is blocked, at most one step counts, since what it waits for was
 * stopped as well.
 *
 * @returns a function that cancels the call
 */
export function afterRunningFor(
  milliseconds: number,
  callback: () => void,
  stepMs = STEP_MS,
): () => void {
  let left = milliseconds;
  let timer: NodeJS.Timeout;
  const wait = () => {
    const step = Math.min(stepMs, left);
    timer = setTimeout(() => {
      left -= step;
      if (left > 0) wait();
      else callback();
    }, step).unref();
  };
  wait();
  return () => {
    clearTimeout(timer);
  };
}
