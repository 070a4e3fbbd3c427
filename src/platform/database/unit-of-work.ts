import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';

/**
 * Runs every write of the service in a transaction, except those of the search index. Repositories only
 * read.
 */
export abstract class UnitOfWork {
  /** The unit of work of the running code; asynchronous code started within it may outlive it. */
  private readonly current = new AsyncLocalStorage<{ ended: boolean }>();

  /**
   * Runs `work` in one transaction and commits it, or rolls back when it throws. `work` may be run
   * again after a rollback. Use `insert`, `update`, `delete` and query builders; `save` and `remove`
   * would open a transaction of their own.
   *
   * @throws Error if called within another unit of work: it would wait for itself on SQLite, and take a
   *   second connection on PostgreSQL
   */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    if (this.current.getStore()?.ended === false) {
      throw new Error('A unit of work was started within another one; pass its manager on instead');
    }
    const unit = { ended: false };
    try {
      return await this.current.run(unit, () => this.transact(work));
    } finally {
      unit.ended = true;
    }
  }

  protected abstract transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
}
