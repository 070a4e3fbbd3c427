import type { EntityManager } from 'typeorm';

/**
 * What a commit outlives: `power loss`, or only the end of the `process`, be it by kill -9, which
 * spares waiting for the disk.
 */
export type Durability = 'power loss' | 'process';

/** Where all writing happens: repositories read, a unit of work writes, all of it or nothing. */
export abstract class UnitOfWork {
  /**
   * Runs `work` in one transaction and commits it, or rolls back when it throws; `work` may be run
   * again after a rollback. Use `insert`, `update`, `delete` and query builders; `save` and
   * `remove` would open a transaction within.
   */
  abstract run<T>(
    work: (manager: EntityManager) => Promise<T>,
    durability?: Durability,
  ): Promise<T>;
}
