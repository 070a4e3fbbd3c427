/**
 * Orders items in rounds: the first item of each user, in the order in which users appear, then the second
 * one of each, and so on.
 */
export function roundRobin<T>(items: Iterable<T>, toUserId: (item: T) => string): T[] {
  const ordered: T[] = [];
  let users = [...Map.groupBy(items, toUserId).values()];
  for (let round = 0; users.length > 0; round++) {
    // Users without remaining items would otherwise be visited in every round of the user with the most
    // items.
    users = users.filter(({ length }) => length > round);
    for (const own of users) ordered.push(...own.slice(round, round + 1));
  }
  return ordered;
}
