/**
 * Items in rounds: the first one of each user, in the order in which users appear, then the second
 * one of each, and so on.
 */
export function roundRobin<T>(items: Iterable<T>, userIdOf: (item: T) => string): T[] {
  const users = [...Map.groupBy(items, userIdOf).values()];
  const rounds = Math.max(0, ...users.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) =>
    users.flatMap((own) => own.slice(round, round + 1)),
  ).flat();
}
