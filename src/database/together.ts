import type { Socket } from 'node:net';
import type { EntityManager } from 'typeorm';
import { isAborted } from './database-error.js';

/**
 * Runs statements of one unit of work that do not need each other's results. PostgreSQL is sent all
 * of them at once and runs those of `insertRows`, `upsert`, `affectedBy` and `query` in their order;
 * query builders come later. SQLite, which may end a transaction by itself, gets them one after the
 * other: what came after that would be kept.
 *
 * @throws the first of what has failed, rather than what failed because of that
 */
export async function together<T extends unknown[]>(
  manager: EntityManager,
  ...statements: { [Index in keyof T]: () => Promise<T[Index]> }
): Promise<T> {
  const results: unknown[] = [];
  if (manager.dataSource.options.type !== 'postgres') {
    for (const statement of statements) results.push(await statement());
    return results as T;
  }
  await gatherWrites(manager);
  // All of them: one that came after the rollback would not be rolled back.
  const settled = await Promise.allSettled(statements.map((statement) => statement()));
  const failures: unknown[] = [];
  for (const one of settled) {
    if (one.status === 'fulfilled') results.push(one.value);
    else failures.push(one.reason);
  }
  if (failures.length > 0) throw failures.find((error) => !isAborted(error)) ?? failures[0];
  return results as T;
}

/** What is asked before Node.js next turns to events goes out in one packet, by one system call. */
async function gatherWrites(manager: EntityManager): Promise<void> {
  if (!manager.queryRunner) throw new Error('Only a unit of work has a connection of its own');
  const client = (await manager.queryRunner.connect()) as { connection: { stream: Socket } };
  const { stream } = client.connection;
  stream.cork();
  // Comes after all that promises do meanwhile.
  process.nextTick(() => {
    stream.uncork();
  });
}
