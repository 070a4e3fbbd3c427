import type { EntityManager } from 'typeorm';

/** Where all writing happens: repositories read, a unit of work writes, all of it or nothing. */
export abstract class UnitOfWork {
  /**
   * Runs `work` in one transaction and commits it, or rolls back when it throws; `work` may be run
   * again after a rollback. Use `insert`, `update`, `delete` and query builders; `save` and
   * `remove` would open a transaction within.
   */
  abstract run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
}
