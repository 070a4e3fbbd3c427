import { isAway, isSignedOut } from './api.js';

const AT_ONCE = 4;

/**
 * Does the same with many, a few at a time. One that fails does not keep the others from it.
 *
 * @returns an error that says how many failed and why the first did, once all were tried
 */
export async function actOnMany<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = [...rows];
  const work = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      try {
        await act(row);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const [first] = failures;
  if (failures.length === 0) return;
  if (rows.length === 1 || isAway(first) || isSignedOut(first)) throw first;
  const reason = first instanceof Error ? first.message : String(first);
  throw new Error(`${failures.length} of ${rows.length} failed: ${reason}`);
}
