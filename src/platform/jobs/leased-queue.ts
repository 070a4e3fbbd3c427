import { Logger } from '@nestjs/common';
import { type EntityManager, In, IsNull, LessThanOrEqual, MoreThan, Not, Or } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { databaseNow } from '../database/database-now.js';
import { lockRows } from '../database/dialect.js';
import type { UnitOfWork } from '../database/unit-of-work.js';

/** The columns of a table that is a queue. */
export interface QueuedRow {
  id: string;

  /**
   * When it may be claimed and, once it is, when the claim expires; null while there is nothing to do.
   */
  dueAt: Date | null;

  /** Number of the latest claim, so that whoever held an earlier one changes nothing. */
  claim: number;
}

/** The right of one process to work on a row, until it expires without having been renewed. */
export interface Claim<Row extends QueuedRow> {
  /** As it was before it was claimed. */
  readonly row: Row;
  /** The row's `claim` for as long as it is held. */
  readonly number: number;
}

/** Columns to change. */
export type Columns = QueryDeepPartialEntity<QueuedRow> & Record<string, unknown>;

interface QueueOptions {
  /** How long a claim is valid without being renewed. */
  readonly leaseMs: number;
  /** How far ahead a row that waits is due at most, if that is further. */
  readonly maxPauseMs?: number;
  /** What distinguishes a row that is being worked on from one that waits. */
  readonly claimed: Record<string, unknown>;
}

/**
 * A table as a queue that several processes share. A claim is lost when the row is changed by somebody
 * else, or when it expires, because its process died, and another one claims the row.
 *
 * Times are the database's. When its clock is moved back, stored times lie too far ahead; one that is
 * further ahead than is ever written is ignored.
 */
export abstract class LeasedQueue<Row extends QueuedRow> {
  private readonly logger = new Logger(this.constructor.name);
  private readonly kept = new Set<Claim<Row>>();
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<void> | undefined;

  protected constructor(
    protected readonly unitOfWork: UnitOfWork,
    private readonly entity: new () => Row,
    private readonly options: QueueOptions,
  ) {}

  /** Runs `work`, and renews the claims while it does. */
  async keep<T>(claims: readonly Claim<Row>[], work: () => Promise<T>): Promise<T> {
    for (const claim of claims) this.kept.add(claim);
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
      for (const claim of claims) this.kept.delete(claim);
      if (this.kept.size === 0) {
        clearInterval(this.timer);
        this.timer = undefined;
      }
    }
  }

  /**
   * Locks the rows whose claims are not lost, and returns their ids.
   *
   * @param onLocked `skip_locked` leaves out those that others have locked, instead of waiting
   */
  async lockHeld(
    manager: EntityManager,
    claims: readonly Claim<Row>[],
    onLocked?: 'skip_locked',
  ): Promise<Set<string>> {
    const rows = await this.lock(manager, this.held(claims), onLocked);
    return new Set(rows.map(({ id }) => id));
  }

  /** Changes the rows whose claims are not lost. @returns how many these were */
  async change(
    manager: EntityManager,
    claims: readonly Claim<Row>[],
    columns: Columns,
  ): Promise<number> {
    return this.update(manager, this.held(claims), columns);
  }

  /** Which rows may be claimed, by their `dueAt`. */
  protected due(now: Date) {
    return Or(LessThanOrEqual(now), MoreThan(this.latest(now)));
  }

  /** When a row is due at the latest. */
  protected latest(now: Date): Date {
    return after(now, Math.max(this.options.leaseMs, this.options.maxPauseMs ?? 0) + TOLERANCE_MS);
  }

  /** Claims those rows that nobody has claimed, renewed, changed or deleted since they were found. */
  protected claimDue(ids: readonly string[], columns?: Columns): Promise<Claim<Row>[]> {
    return this.unitOfWork.run(async (manager) => {
      const now = await databaseNow(manager);
      // By their ids alone: with other conditions, SQLite would read all rows that wait.
      const rows = await this.lock(manager, { id: In(ids) }, 'skip_locked');
      const due = rows.filter((row) => this.isDue(row, now));
      return this.claimRows(manager, due, now, columns);
    });
  }

  /** @param rows that are due, and that the transaction keeps from being changed by others */
  protected async claimRows(
    manager: EntityManager,
    rows: readonly Row[],
    now: Date,
    columns?: Columns,
  ): Promise<Claim<Row>[]> {
    if (rows.length === 0) return [];
    // One by one, because for a list together with a state SQLite would read all rows in that state.
    const claimed = await this.update(
      manager,
      rows.map(({ id, claim }) => ({ id, claim })),
      {
        ...columns,
        ...this.options.claimed,
        dueAt: after(now, this.options.leaseMs),
        claim: () => 'claim + 1',
      },
    );
    if (claimed !== rows.length) throw new Error('A row was changed while it was claimed');
    return rows.map((row) => ({ row, number: row.claim + 1 }));
  }

  private async renew(claims: readonly Claim<Row>[]): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const dueAt = after(await databaseNow(manager), this.options.leaseMs);
      // Renewals must not wait for a row that somebody else has locked; it is renewed the next time.
      const ids = [...(await this.lockHeld(manager, claims, 'skip_locked'))];
      if (ids.length > 0) await this.update(manager, { id: In(ids) }, { dueAt });
    });
  }

  private held(claims: readonly Claim<Row>[]): Record<string, unknown>[] {
    const { claimed } = this.options;
    return claims.map(({ row: { id }, number }) => ({
      ...{ ...claimed, id, claim: number, dueAt: Not(IsNull()) },
    }));
  }

  private isDue({ dueAt }: Row, now: Date): boolean {
    return dueAt !== null && (dueAt <= now || dueAt > this.latest(now));
  }

  private lock(manager: EntityManager, where: Where, onLocked?: 'skip_locked'): Promise<Row[]> {
    const rows = manager.createQueryBuilder(this.entity, 'queued').where(where);
    return lockRows(rows, onLocked).orderBy('queued.id').getMany();
  }

  private async update(manager: EntityManager, where: Where, columns: Columns): Promise<number> {
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

/** A time may have been written after `now` was read. */
const TOLERANCE_MS = 1000;

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);
