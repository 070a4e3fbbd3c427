import { Logger } from '@nestjs/common';
import { type EntityManager, In, IsNull, LessThanOrEqual, MoreThan, Not, Or } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { databaseNow } from '../database/database-now.js';
import { lockRows } from '../database/dialect.js';
import type { UnitOfWork } from '../database/unit-of-work.js';

/** The columns that a table needs to be a queue. */
export interface QueuedRow {
  id: string;

  /**
   * When the row may be leased or, while it is leased, when the lease expires; null if there is nothing
   * to do.
   */
  dueAt: Date | null;

  /** The number of the latest lease, so that holders of earlier leases change nothing. */
  lease: number;
}

/** The right of one process to work on a row, until it expires without having been renewed. */
export interface Lease<Row extends QueuedRow> {
  /** The row as it was before the lease. */
  readonly row: Row;
  /** The value of the row's `lease` while the lease is held. */
  readonly number: number;
}

/** Columns to change. */
export type QueuedColumns = QueryDeepPartialEntity<QueuedRow> & Record<string, unknown>;

export interface QueueOptions {
  /** How long a lease is valid without being renewed. */
  readonly leaseMs: number;
  /** The longest time ahead that a waiting row can be due, if longer than a lease. */
  readonly maxPauseMs?: number;
  /** The column values of a leased row, as opposed to a waiting one. */
  readonly leased: Record<string, unknown>;
}

/**
 * Uses a table as a queue shared by several processes. A lease is lost when the row is changed by
 * somebody else, or when the lease expires because its process died and another leases the row.
 */
export abstract class LeasedQueue<Row extends QueuedRow> {
  private readonly logger = new Logger(this.constructor.name);
  /** The leases of this process on what it is working on. */
  readonly kept = new Set<Lease<Row>>();
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<void> | undefined;

  protected constructor(
    protected readonly unitOfWork: UnitOfWork,
    private readonly entity: new () => Row,
    private readonly options: QueueOptions,
  ) {}

  /** Runs `work`, and renews the leases while it does. */
  async keep<T>(leases: readonly Lease<Row>[], work: () => Promise<T>): Promise<T> {
    for (const lease of leases) this.kept.add(lease);
    this.timer ??= setInterval(() => {
      this.renewing ??= this.renew([...this.kept])
        .catch((error: unknown) => {
          this.logger.error(error);
        })
        .finally(() => (this.renewing = undefined));
    }, this.options.leaseMs / 3);
    try {
      return await work();
    } finally {
      for (const lease of leases) this.kept.delete(lease);
      if (this.kept.size === 0) {
        clearInterval(this.timer);
        this.timer = undefined;
      }
    }
  }

  /**
   * Locks the rows whose leases are not lost, and returns their ids.
   *
   * @param onLocked `skip_locked` leaves out those that others have locked, instead of waiting
   */
  async lockHeld(
    manager: EntityManager,
    leases: readonly Lease<Row>[],
    onLocked?: 'skip_locked',
  ): Promise<Set<string>> {
    const rows = await this.lock(manager, this.held(leases), onLocked);
    return new Set(rows.map(({ id }) => id));
  }

  /** Changes the rows whose leases are not lost. @returns how many rows were changed */
  async change(
    manager: EntityManager,
    leases: readonly Lease<Row>[],
    columns: QueuedColumns,
  ): Promise<number> {
    return this.update(manager, this.held(leases), columns);
  }

  /** The condition on `dueAt` for rows that may be leased. */
  protected due(now: Date) {
    return Or(LessThanOrEqual(now), MoreThan(this.latest(now)));
  }

  /** The latest time at which a row can be due. */
  protected latest(now: Date): Date {
    return after(now, Math.max(this.options.leaseMs, this.options.maxPauseMs ?? 0) + TOLERANCE_MS);
  }

  /** Leases those rows that have not been leased, renewed, changed or deleted since they were found. */
  protected leaseDue(ids: readonly string[], columns?: QueuedColumns): Promise<Lease<Row>[]> {
    return this.unitOfWork.run(async (manager) => {
      const now = await databaseNow(manager);
      // Selected by id alone: with other conditions, SQLite would read all waiting rows.
      const rows = await this.lock(manager, { id: In(ids) }, 'skip_locked');
      const due = rows.filter((row) => this.isDue(row, now));
      return this.leaseRows(manager, due, now, columns);
    });
  }

  /** @param rows due rows, which the transaction protects from changes by others */
  protected async leaseRows(
    manager: EntityManager,
    rows: readonly Row[],
    now: Date,
    columns?: QueuedColumns,
  ): Promise<Lease<Row>[]> {
    if (rows.length === 0) return [];
    // One condition per row: for a list of ids with a state, SQLite would read all rows in that state.
    const leased = await this.update(
      manager,
      rows.map(({ id, lease }) => ({ id, lease })),
      {
        ...columns,
        ...this.options.leased,
        dueAt: after(now, this.options.leaseMs),
        lease: () => 'lease + 1',
      },
    );
    if (leased !== rows.length) throw new Error('A row was changed while it was leased');
    return rows.map((row) => ({ row, number: row.lease + 1 }));
  }

  private async renew(leases: readonly Lease<Row>[]): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const dueAt = after(await databaseNow(manager), this.options.leaseMs);
      // Renewals must not wait for a locked row; it is renewed the next time.
      const ids = [...(await this.lockHeld(manager, leases, 'skip_locked'))];
      if (ids.length > 0) await this.update(manager, { id: In(ids) }, { dueAt });
    });
  }

  private held(leases: readonly Lease<Row>[]): Record<string, unknown>[] {
    const { leased } = this.options;
    return leases.map(({ row: { id }, number }) => ({
      ...{ ...leased, id, lease: number, dueAt: Not(IsNull()) },
    }));
  }

  private isDue({ dueAt }: Row, now: Date): boolean {
    return dueAt !== null && (dueAt <= now || dueAt > this.latest(now));
  }

  private lock(manager: EntityManager, where: Where, onLocked?: 'skip_locked'): Promise<Row[]> {
    const rows = manager.createQueryBuilder(this.entity, 'queued').where(where);
    return lockRows(rows, onLocked).orderBy('queued.id').getMany();
  }

  private async update(
    manager: EntityManager,
    where: Where,
    columns: QueuedColumns,
  ): Promise<number> {
    const entity: new () => QueuedRow = this.entity;
    const { affected } = await manager
      .createQueryBuilder()
      .update(entity)
      .set(columns)
      .where(where)
      .execute();
    return affected ?? 0;
  }
}

type Where = Record<string, unknown> | Record<string, unknown>[];

/** A time may have been written just after `now` was read. */
const TOLERANCE_MS = 1000;

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);
