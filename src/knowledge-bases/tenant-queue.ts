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
   * @param maxPerUser how many of a user's rows this process works on at a time
   */
  protected async leaseNext(maxPerUser: number): Promise<Lease<Row> | undefined> {
    const byUser = [...Map.groupBy(this.kept, ({ row }) => row.userId)];
    const busy = byUser.filter(([, rows]) => rows.length >= maxPerUser).map(([userId]) => userId);
    const [lease] = await this.leaseFound(async (now, excluded) => {
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
   * Leases what `find` finds, and searches again if another process has leased it first. What this process
   * works on is not leased again, even if a lease expired.
   */
  protected async leaseFound(
    find: (now: Date, excluded: readonly string[]) => Promise<string[]>,
    columns?: QueuedColumns,
  ): Promise<Lease<Row>[]> {
    // `NOT IN ()` is a syntax error in PostgreSQL.
    const excluded = ['', ...[...this.kept].map(({ row }) => row.id)];
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
