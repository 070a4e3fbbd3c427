import { setImmediate, setTimeout } from 'node:timers/promises';
import { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { DataSource, EntityManager, QueryFailedError } from 'typeorm';
import { Config } from '../config/config.js';
import { isBusy } from './database-error.js';
import { dataSourceOptions } from './data-source-options.js';
import { EngineDataSource } from './engine-data-source.js';
import { Durability, UnitOfWork } from './unit-of-work.js';

/** How long a unit of work waits for another process's, its turn in this one included. */
const BUSY_TIMEOUT_MS = 5000;
const BUSY_RETRY_MS = 3;

/**
 * The embedded engine has one connection for each data source, so statements of unrelated requests
 * would slip into an open transaction and be rolled back, or seen, with it. Therefore repositories
 * have a connection that cannot write (`query_only`) and sees only what is committed, and the one
 * that writes belongs to one unit of work at a time.
 */
export class SqliteUnitOfWork extends UnitOfWork implements OnModuleInit, OnApplicationShutdown {
  private readonly writer: DataSource;
  private last: Promise<unknown> = Promise.resolve();
  private durability: Durability = 'power loss';

  constructor(config: Config) {
    super();
    this.writer = new EngineDataSource(dataSourceOptions(config, 'write'));
  }

  async onModuleInit(): Promise<void> {
    await this.writer.initialize();
  }

  /** Features flush what they hold in their own, earlier hooks. */
  async onApplicationShutdown(): Promise<void> {
    await this.last;
    await this.writer.destroy();
  }

  protected override transact<T>(
    work: (manager: EntityManager) => Promise<T>,
    durability: Durability,
  ): Promise<T> {
    const deadline = performance.now() + BUSY_TIMEOUT_MS;
    const result = this.last.then(async () => {
      await this.require(durability);
      return this.transaction(work, deadline);
    });
    // The next one waits until other requests had a turn: statements are synchronous, so units of
    // work one after the other would hold up the event loop until the last has ended.
    this.last = result.then(
      () => setImmediate(),
      () => setImmediate(),
    );
    return result;
  }

  /** A commit that waits for the disk takes along all that came before it. */
  private async require(durability: Durability): Promise<void> {
    if (this.durability === durability) return;
    const level = durability === 'process' ? 'NORMAL' : 'FULL';
    await this.writer.query(`PRAGMA synchronous = ${level}`);
    this.durability = durability;
  }

  private async transaction<T>(
    work: (manager: EntityManager) => Promise<T>,
    deadline: number,
  ): Promise<T> {
    await this.begin(deadline);
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
   * IMMEDIATE: a transaction that turns from reading to writing would fail at once when another
   * process has written in between. SQLite's own waiting would hold up the whole process, so it is
   * asked again instead.
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
