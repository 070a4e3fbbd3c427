/**
 * Waits for statements of one unit of work that were issued at once, so that PostgreSQL is sent all
 * of them together, in an order that must not matter. For each of them: what would come after a
 * rollback would not be rolled back.
 *
 * @throws what one that failed has thrown
 */
export async function together<T extends unknown[]>(
  ...statements: { [Index in keyof T]: Promise<T[Index]> }
): Promise<T> {
  await Promise.allSettled(statements);
  return await Promise.all(statements);
}
