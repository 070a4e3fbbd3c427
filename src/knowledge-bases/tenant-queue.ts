import { In, Not, type ObjectLiteral, type Repository } from 'typeorm';
import { databaseNow } from '../platform/database/database-now.js';
import type { UnitOfWork } from '../platform/database/unit-of-work.js';
import {
  type QueuedColumns,
  type Lease,
  LeasedQueue,
  type QueuedRow,
  type QueueOptions,
} from '../platform/jobs/leased-queue.js';
import type { Tenant } from './tenant-lookup.js';
import type { QueueTable, UserTurns } from './user-turns.js';

/** A queue whose rows count towards users, who are served in turns. */
export abstract class TenantQueue<Row extends QueuedRow & Tenant> extends LeasedQueue<Row> {
  protected constructor(
    private readonly table: QueueTable,
    protected readonly rows: Repository<Row>,
    unitOfWork: UnitOfWork,
    private readonly turns: UserTurns,
    options: QueueOptions,
  ) {
    super(unitOfWork, rows.target as new () => Row, options);
  }

  /** Delays the next turn of a user by the time spent. */
  charge(tenant: Tenant, milliseconds: number): Promise<void> {
    return this.turns.charge(this.table, tenant, milliseconds);
  }

  /**
   * Leases a row of the user whose turn it is.
   *
   * @param running what this process holds; not leased again, even if a lease expired
   * @param maxPerUser of a user who has so many of these, nothing is leased
   */
  protected async leaseNext(
    running: Iterable<Lease<Row>>,
    maxPerUser: number,
  ): Promise<Lease<Row> | undefined> {
    const own = [...running].map(({ row }) => row);
    const byUser = [...Map.groupBy(own, ({ userId }) => userId)];
    const busy = byUser.filter(([, rows]) => rows.length >= maxPerUser).map(([userId]) => userId);
    const ids = own.map(({ id }) => id);
    const [lease] = await this.leaseFound(ids, async (now, excluded) => {
      const tenant = await this.nextTenant(now, excluded, { busyUserIds: ['', ...busy] });
      if (!tenant) return [];
      const next = await this.rows
        .createQueryBuilder('w')
        .select('w.id')
        .where(this.table.waiting)
        .andWhere({ ...tenant, dueAt: this.due(now), id: Not(In(excluded)) })
        .orderBy('w.dueAt')
        .addOrderBy('w.id')
        .limit(1)
        .getOne();
      return next ? [next.id] : [];
    });
    return lease;
  }

  /**
   * Leases what `find` finds, and searches again if another process has leased it first.
   *
   * @param own ids of what this process holds; not leased, even if a lease expired
   */
  protected async leaseFound(
    own: readonly string[],
    find: (now: Date, excluded: readonly string[]) => Promise<string[]>,
    columns?: QueuedColumns,
  ): Promise<Lease<Row>[]> {
    // `NOT IN ()` is a syntax error in PostgreSQL.
    const excluded = ['', ...own];
    for (;;) {
      const ids = await find(await databaseNow(this.rows.manager), excluded);
      if (ids.length === 0) return [];
      const leases = await this.leaseDue(ids, columns);
      if (leases.length > 0) return leases;
      excluded.push(...ids);
    }
  }

  /** Finds the knowledge base whose turn it is and that has a row to lease that is not in `excluded`. */
  protected nextTenant(
    now: Date,
    excluded: readonly string[],
    parameters: ObjectLiteral,
  ): Promise<Tenant | undefined> {
    return this.turns.next(this.table, now, {
      ...{ ...parameters, now, latest: this.latest(now), excluded },
    });
  }
}
