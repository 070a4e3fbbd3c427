import { isAway, isNotFound, isSignedOut } from './api.js';

const AT_ONCE = 4;

/**
 * Does the same with many, a few at a time, until the signal is aborted: what has begun is ended. One
 * that fails does not keep the others from it.
 *
 * @returns those it was done with, and an error that says how many failed and why the first did
 */
export async function actOnMany<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<{ done: ReadonlySet<Row>; error: Error | undefined }> {
  const done = new Set<Row>();
  const failures: unknown[] = [];
  const waiting = [...rows];
  const work = async () => {
    while (signal?.aborted !== true) {
      const row = waiting.shift();
      if (row === undefined) return;
      try {
        await act(row);
        done.add(row);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, error: errorOf(failures, rows.length) };
}

function errorOf(failures: readonly unknown[], count: number): Error | undefined {
  if (failures.length === 0) return undefined;
  const [first] = failures;
  const error = first instanceof Error ? first : new Error(String(first));
  if (count === 1 || isAway(error) || isSignedOut(error)) return error;
  return new Error(`${failures.length} of ${count} failed: ${error.message}`);
}

/** What somebody else has deleted meanwhile is deleted. */
export const unlessGone = (error: unknown): void => {
  if (!isNotFound(error)) throw error;
};
