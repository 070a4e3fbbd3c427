const STEP_MS = 1000;

/**
 * Calls back after a time in which this process ran. While it is stopped, as by SIGSTOP or on a suspended
 * host, or its event loop is blocked, at most one step passes: what it waits for stood still as well.
 *
 * @returns cancels it
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
