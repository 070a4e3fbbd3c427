import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';

/**
 * What a commit outlives: `power loss`, or only the end of the `process`, be it by kill -9, which
 * spares waiting for the disk.
 */
export type Durability = 'power loss' | 'process';

/** Where all writing happens: repositories read, a unit of work writes, all of it or nothing. */
export abstract class UnitOfWork {
  /** That of the code that is running. What it has started may go on when it has ended. */
  private readonly current = new AsyncLocalStorage<{ ended: boolean }>();

  /**
   * Runs `work` in one transaction and commits it, or rolls back when it throws; `work` may be run
   * again after a rollback. Use `insert`, `update`, `delete` and query builders; `save` and
   * `remove` would open a transaction within.
   *
   * @throws Error within another unit of work, for which it would wait on SQLite, and take a second
   * connection on PostgreSQL
   */
  async run<T>(
    work: (manager: EntityManager) => Promise<T>,
    durability: Durability = 'power loss',
  ): Promise<T> {
    if (this.current.getStore()?.ended === false) {
      throw new Error('A unit of work was begun within another one; hand its manager on instead');
    }
    const unit = { ended: false };
    try {
      return await this.current.run(unit, () => this.transact(work, durability));
    } finally {
      unit.ended = true;
    }
  }

  protected abstract transact<T>(
    work: (manager: EntityManager) => Promise<T>,
    durability: Durability,
  ): Promise<T>;
}
