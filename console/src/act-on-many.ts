import { isAway, isNotFound, isSignedOut } from './api.js';

const AT_ONCE = 4;

/**
 * Applies an action to many rows, a few at a time, until the signal is aborted; actions that have begun are
 * completed. A failure does not stop the others.
 *
 * @returns the rows that succeeded, and an error with the number of failures and the reason of the first
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
  return { done, error: summarizeFailures(failures, rows.length) };
}

function summarizeFailures(failures: readonly unknown[], count: number): Error | undefined {
  if (failures.length === 0) return undefined;
  const [first] = failures;
  const error = first instanceof Error ? first : new Error(String(first));
  if (count === 1 || isAway(error) || isSignedOut(error)) return error;
  return new Error(`${failures.length} of ${count} failed: ${error.message}`);
}

/** Ignores a 404, since somebody else may have deleted the row meanwhile. */
export const unlessGone = (error: unknown): void => {
  if (!isNotFound(error)) throw error;
};
