import { setTimeout } from 'node:timers/promises';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Mutex } from 'async-mutex';
import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { isBusy, WriteQueueFullError } from './database-error.js';
import { UnitOfWork } from './unit-of-work.js';

/** Units of work that may wait for the writing connection; one more is refused with a 503. */
const MAX_WAITING = 1000;
/** How long a unit of work waits in the queue and for the lock of another process, in all. */
const BUSY_TIMEOUT_MS = 5000;
const BUSY_RETRY_MS = 3;

/**
 * One write queue for SQLite. TypeORM's driver has one connection for each data source: statements of
 * other requests would become part of an open transaction. So repositories use a connection that
 * cannot write (`query_only`), and one unit of work at a time gets the connection that writes.
 */
export class SqliteUnitOfWork extends UnitOfWork implements OnModuleInit, OnApplicationShutdown {
  private readonly mutex = new Mutex();
  private waiting = 0;

  /** @param writer not yet initialized */
  constructor(private readonly writer: DataSource) {
    super();
  }

  async onModuleInit(): Promise<void> {
    await this.writer.initialize();
  }

  /** Runs after the hooks in which features write what they have buffered. */
  async onApplicationShutdown(): Promise<void> {
    const release = await this.mutex.acquire();
    await this.writer.destroy();
    // A later unit of work fails on the closed connection, instead of waiting for ever.
    release();
  }

  protected override async transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    if (this.waiting >= MAX_WAITING) throw new WriteQueueFullError();
    const deadline = performance.now() + BUSY_TIMEOUT_MS;
    this.waiting++;
    const release = await this.mutex.acquire();
    this.waiting--;
    try {
      await this.begin(deadline);
      return await this.commit(work);
    } finally {
      // SQLite's statements are synchronous: without a pause between units of work, the event loop
      // would be blocked until the queue is empty.
      setImmediate(release);
    }
  }

  private async commit<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      const result = await work(this.writer.manager);
      await this.writer.query('COMMIT');
      return result;
    } catch (error) {
      await this.writer.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /**
   * BEGIN IMMEDIATE takes the write lock: a transaction that first reads and then writes fails when
   * another process has written in between. SQLite's busy timeout would block the event loop, so this
   * retries while another process holds the lock.
   */
  private async begin(deadline: number): Promise<void> {
    for (;;) {
      try {
        await this.writer.query('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        const busy = error instanceof QueryFailedError && isBusy(error.driverError);
        if (!busy || performance.now() > deadline) throw error;
        await setTimeout(BUSY_RETRY_MS);
      }
    }
  }
}
