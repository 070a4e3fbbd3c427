import { setTimeout } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { classifyFailure } from '../../platform/database/database-error.js';
import { closeConnection } from '../../platform/database/engine-data-source.js';
import { Reads } from '../../platform/database/reads.js';
import { postgresPool } from '../../platform/database/typeorm-internals.js';
import { RareWarning } from '../../platform/telemetry/rare-warning.js';
import { preparePosition, readStandbyState, type WalPosition } from './wal-position.js';

/**
 * The time that a read waits for the replica to replay the latest changes, which usually takes a few
 * ms.
 */
const MAX_WAIT_MS = 50;
const POLL_MS = 2;
const CHECK_TIMEOUT_MS = 500;
/** The time that reads go to the primary after the replica failed. */
const RETRY_MS = 1000;

const FAILURES = {
  unavailable: 'it does not respond properly',
  behind: `it is more than ${MAX_WAIT_MS} ms behind`,
  unrelated: 'it is not a standby of the primary, or not known to have followed its promotion',
} as const;

/** The reason why a read went to the primary. */
type ReplicaFailure = keyof typeof FAILURES;

/**
 * Reads from a standby if it has replayed everything that the primary had acknowledged when the read
 * began, and otherwise from the primary. The position is checked on the connection that then reads, so
 * the check holds for any server that `DATABASE_REPLICA_URL` leads to.
 */
export class ReplicaReads extends Reads implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Counts of reads, by the server that answered and, for the primary, the reason. */
  readonly counts: Record<'replica' | ReplicaFailure, number> = {
    ...{ replica: 0, unavailable: 0, behind: 0, unrelated: 0 },
  };
  private readonly logger = new Logger(ReplicaReads.name);
  private readonly position: () => Promise<WalPosition>;
  private opened: Promise<unknown> | undefined;
  private isOpen = false;
  private failure: ReplicaFailure | undefined;
  private retryAt = 0;
  private readonly warning = new RareWarning(this.logger);
  private hasWarned = false;

  /** @param replica not yet initialized */
  constructor(
    private readonly primary: DataSource,
    private readonly replica: DataSource,
  ) {
    super();
    this.position = preparePosition(primary);
  }

  onApplicationBootstrap(): void {
    this.open();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.opened;
    if (this.isOpen) await this.replica.destroy();
  }

  override async latest<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const runner = await this.connect();
    if (!runner) return work(this.primary.manager);
    try {
      const result = await work(runner.manager);
      this.counts.replica++;
      return result;
    } catch (error) {
      // The server failed, not the request; the server also cancels reads that delay its replay.
      if (classifyFailure(error) === undefined) throw error;
      await closeConnection(runner);
      this.counts.unavailable++;
    } finally {
      await runner.release();
    }
    return work(this.primary.manager);
  }

  /** @returns a connection to the replica, if it has what the primary has */
  private async connect(): Promise<QueryRunner | undefined> {
    if (this.failure !== undefined) {
      if (performance.now() < this.retryAt) {
        this.counts[this.failure]++;
        return undefined;
      }
      // Only this read tries the replica; others go to the primary.
      this.retryAt = performance.now() + RETRY_MS;
    }
    if (!this.isOpen) {
      this.open();
      this.counts.unavailable++;
      return undefined;
    }
    const position = await this.position();
    const runner = this.replica.createQueryRunner();
    const failure = await this.check(runner, position).catch((error: unknown) => {
      this.logger.debug(error);
      return 'unavailable' as const;
    });
    this.note(failure);
    if (failure === undefined) return runner;
    if (failure === 'unavailable') await closeConnection(runner).catch(() => undefined);
    await runner.release();
    this.counts[failure]++;
    return undefined;
  }

  private async check(
    runner: QueryRunner,
    position: WalPosition,
  ): Promise<ReplicaFailure | undefined> {
    const pool = postgresPool(this.replica);
    const client = (await runner.connect()) as PoolClient;
    const endsAt = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const state = await readStandbyState(pool, client, position, CHECK_TIMEOUT_MS);
      if (!state.isStandby) return 'unrelated';
      if (state.isCurrent) return undefined;
      if (performance.now() > endsAt) return 'behind';
      await setTimeout(POLL_MS);
    }
  }

  /** Keeps trying, one attempt at a time, if the replica is unavailable at the start. */
  private open(): void {
    this.opened ??= this.replica.initialize().then(
      () => {
        this.isOpen = true;
        this.note(undefined);
      },
      () => {
        this.opened = undefined;
        this.note('unavailable');
      },
    );
  }

  private note(failure: ReplicaFailure | undefined): void {
    this.failure = failure;
    if (failure !== undefined) this.retryAt = performance.now() + RETRY_MS;
    // Logged rarely: a replica that is sometimes behind would fill the log.
    if (failure !== undefined && !this.hasWarned) {
      this.hasWarned = this.warning.log(
        `Reading from the primary; the replica cannot be used: ${FAILURES[failure]}`,
      );
    }
    if (failure === undefined && this.hasWarned) {
      this.logger.log('The replica is in use again');
      this.hasWarned = false;
    }
  }
}
