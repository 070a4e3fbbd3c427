/** One way in which a status may change. */
export interface StatusTransition<Status extends string> {
  readonly from: readonly Status[];
  readonly to: Status;
}

/**
 * Checks a table of transitions when it is loaded, so that a mistake prevents the start.
 *
 * @throws Error if a status cannot be reached from `first`, cannot reach `last`, or if something leads
 *   out of `last`
 */
export function requireConsistent<Status extends string>(
  transitions: Readonly<Record<string, StatusTransition<Status>>>,
  statuses: readonly Status[],
  first: Status,
  last: Status,
): void {
  const table = Object.values(transitions);
  const reachable = (start: Status) => {
    const found = new Set([start]);
    // Iterating over a set includes items added during the loop.
    for (const status of found) {
      for (const { from, to } of table) if (from.includes(status)) found.add(to);
    }
    return found;
  };
  for (const status of statuses) {
    if (!reachable(first).has(status)) throw new Error(`No transition leads to ${status}`);
    if (!reachable(status).has(last)) throw new Error(`${status} does not lead to ${last}`);
  }
  if (reachable(last).size > 1) throw new Error(`A transition leads out of ${last}`);
}
