/**
 * Items in rounds: the first one of each user, in the order in which users appear, then the second
 * one of each, and so on.
 */
export function roundRobin<T>(items: Iterable<T>, toUserId: (item: T) => string): T[] {
  const ordered: T[] = [];
  let users = [...Map.groupBy(items, toUserId).values()];
  for (let round = 0; users.length > 0; round++) {
    // Users who have nothing left would otherwise be visited in every round of the one with most items.
    users = users.filter(({ length }) => length > round);
    for (const own of users) ordered.push(...own.slice(round, round + 1));
  }
  return ordered;
}
