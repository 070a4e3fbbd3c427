import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';
import { Problem } from '../problems/problem.js';

/** Items that a unit of work collects and writes together, as the last step before its commit. */
export interface Collection<Item> {
  write(manager: EntityManager, items: readonly Item[]): Promise<void>;
  /** Called once they are committed. */
  onCommitted(items: readonly Item[]): void;
}

interface Unit {
  ended: boolean;
  /** By its current attempt. */
  collected: { readonly collection: Collection<unknown>; readonly item: unknown }[];
}

/**
 * Runs every write of the service in a transaction, except those of the search index. Repositories only
 * read.
 */
export abstract class UnitOfWork {
  /** The unit of work of the running code; asynchronous code started within it may outlive it. */
  private readonly current = new AsyncLocalStorage<Unit>();
  private readonly units = new WeakMap<EntityManager, Unit>();

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
    const unit: Unit = { ended: false, collected: [] };
    const attempt = async (manager: EntityManager) => {
      this.units.set(manager, unit);
      unit.collected = [];
      const result = await work(manager);
      for (const [collection, items] of group(unit)) await collection.write(manager, items);
      return result;
    };
    let result: T;
    try {
      result = await this.current.run(unit, () => this.transact(attempt));
    } finally {
      unit.ended = true;
    }
    for (const [collection, items] of group(unit)) collection.onCommitted(items);
    return result;
  }

  /**
   * Adds an item to what the unit of work writes before its commit.
   *
   * @param manager of the running unit of work
   */
  collect<Item>(manager: EntityManager, collection: Collection<Item>, item: Item): void {
    this.requireUnit(manager).collected.push({ collection, item });
  }

  /**
   * Runs a part of a unit of work. If it throws a Problem, its changes alone are rolled back,
   * and what it collected is forgotten; any other error must end the unit of work.
   */
  async runPart<T>(manager: EntityManager, work: () => Promise<T>): Promise<T> {
    const unit = this.requireUnit(manager);
    const before = unit.collected.length;
    // The commit releases the savepoint.
    await manager.query('SAVEPOINT part');
    try {
      return await work();
    } catch (error) {
      if (error instanceof Problem) {
        await manager.query('ROLLBACK TO SAVEPOINT part');
        unit.collected.length = before;
      }
      throw error;
    }
  }

  protected abstract transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;

  private requireUnit(manager: EntityManager): Unit {
    const unit = this.units.get(manager);
    if (unit?.ended !== false) throw new Error('No unit of work with this manager is running');
    return unit;
  }
}

function group({ collected }: Unit): Map<Collection<unknown>, unknown[]> {
  const groups = new Map<Collection<unknown>, unknown[]>();
  for (const { collection, item } of collected) {
    const items = groups.get(collection);
    if (items) items.push(item);
    else groups.set(collection, [item]);
  }
  return groups;
}
