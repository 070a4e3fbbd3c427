import { setTimeout as pause } from 'node:timers/promises';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Mutex } from 'async-mutex';
import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { WriteQueueFullError } from './database-error.js';
import { getErrorCode } from './driver-error.js';
import { UnitOfWork } from './unit-of-work.js';

/**
 * The maximum number of units of work waiting for the writing connection; further ones are refused with
 * 503.
 */
const MAX_WAITING = 1000;
/** How long a unit of work waits while another process holds the lock. */
const BUSY_TIMEOUT_MS = 5000;
const BUSY_RETRY_MS = 3;
/**
 * After units of work have run this long without a pause, other processes get a chance to take the
 * lock.
 */
const TURN_MS = 100;
/** Longer than the interval at which other processes try to take the lock. */
const PAUSE_MS = BUSY_RETRY_MS + 2;

/**
 * One write queue for SQLite. TypeORM's driver has one connection for each data source: statements of
 * other requests would become part of an open transaction. So repositories use a connection that
 * cannot write (`query_only`), and one unit of work at a time gets the connection that writes.
 */
export class SqliteUnitOfWork extends UnitOfWork implements OnModuleInit, OnApplicationShutdown {
  private readonly mutex = new Mutex();
  private waiting = 0;
  private turnBegan = 0;
  /** When this process first found the lock held by another one; undefined once it has taken it. */
  private busySince: number | undefined;

  /** @param writer not yet initialized */
  constructor(private readonly writer: DataSource) {
    super();
  }

  async onModuleInit(): Promise<void> {
    await this.writer.initialize();
  }

  /** Runs after the hooks in which features flush their buffers. */
  async onApplicationShutdown(): Promise<void> {
    const release = await this.mutex.acquire();
    await this.writer.destroy();
    // A later unit of work fails on the closed connection instead of waiting forever.
    release();
  }

  protected override async transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    if (this.waiting >= MAX_WAITING) throw new WriteQueueFullError();
    const queuedAt = performance.now();
    if (!this.mutex.isLocked()) this.turnBegan = queuedAt;
    this.waiting++;
    const release = await this.mutex.acquire();
    this.waiting--;
    try {
      await this.begin(queuedAt);
      return await this.commit(work);
    } finally {
      this.releaseAfterPause(release);
    }
  }

  /**
   * Lets the next unit of work begin in a later turn of the event loop: SQLite's statements are
   * synchronous, so the loop would otherwise be blocked until the queue is empty. After TURN_MS the
   * lock stays free for PAUSE_MS: other processes, which retry every BUSY_RETRY_MS, would otherwise
   * hardly ever find it free.
   */
  private releaseAfterPause(release: () => void): void {
    if (performance.now() - this.turnBegan < TURN_MS) {
      setImmediate(release);
      return;
    }
    setTimeout(() => {
      this.turnBegan = performance.now();
      release();
    }, PAUSE_MS);
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
   * Takes the write lock with BEGIN IMMEDIATE, because a transaction that first reads and then
   * writes fails when another process has written in between. SQLite's busy timeout would block the
   * event loop, so this retries while another process holds the lock.
   *
   * Time spent waiting for units of work of this process does not count towards BUSY_TIMEOUT_MS. If
   * another process holds the lock for that long, the units of work that were queued all the while
   * fail at their first attempt, instead of waiting BUSY_TIMEOUT_MS each.
   */
  private async begin(queuedAt: number): Promise<void> {
    for (;;) {
      try {
        await this.writer.query('BEGIN IMMEDIATE');
        // The turn of the other process is over; this one's begins.
        if (this.busySince !== undefined) this.turnBegan = performance.now();
        this.busySince = undefined;
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        this.busySince ??= performance.now();
        const deadline = Math.max(this.busySince, queuedAt) + BUSY_TIMEOUT_MS;
        if (performance.now() > deadline) throw error;
        await pause(BUSY_RETRY_MS);
      }
    }
  }
}

/** Another process holds SQLite's write lock. */
const isBusy = (error: unknown) =>
  error instanceof QueryFailedError &&
  /^SQLITE_(BUSY|LOCKED)/.test(getErrorCode(error.driverError));
