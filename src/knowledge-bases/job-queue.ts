import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import {
  type DataSource,
  type EntityManager,
  type FindOptionsWhere,
  In,
  LessThanOrEqual,
  MoreThan,
  Not,
  Or,
} from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { databaseNow } from '../platform/database/database-now.js';
import { lockRows, sqlNow, sqlParameter } from '../platform/database/dialect.js';
import type { UnitOfWork } from '../platform/database/unit-of-work.js';
import { WorkQueue } from '../platform/jobs/work-queue.js';
import { chargeUser, findNextTurn } from './next-turn.js';
import { QueuedJob } from './queued-job.entity.js';
import type { FairShare } from './fair-share-lookup.js';

/** The right of one process to work on a job, until it expires without having been renewed. */
export interface Lease<Row> {
  /** Jobs that were leased together have the same one. */
  readonly id: string;
  /** Its `attempts` include this one. */
  readonly job: Readonly<QueuedJob>;
  /** What the job is about, as it is while the lease begins. */
  readonly row: Row;
}

export interface QueueOptions {
  /** The name of the queue, and of the table of its subjects. */
  readonly name: string;
  /** SQL: the knowledge base of a subject `s`. */
  readonly kbId?: string;
  /** SQL: which subjects `s` can be queued. */
  readonly queueable?: string;
  /** SQL: the kind of the job of a subject `s`. */
  readonly kind?: string;
  /** How long a lease is valid without being renewed. */
  readonly leaseMs: number;
  /** The longest time ahead that a waiting job can be due, if longer than a lease. */
  readonly maxPauseMs?: number;
  /** How many jobs of a user one process works on at a time. */
  readonly maxPerUser?: number;
  /** Whether one job of a knowledge base is worked on at a time, over all processes. */
  readonly onePerKnowledgeBase?: boolean;
}

/** Which jobs of the next knowledge base to lease. */
export interface Choice {
  readonly kinds?: readonly string[];
  /** The number of jobs to choose from. */
  readonly limit?: number;
  readonly choose?: (jobs: readonly QueuedJob[]) => Promise<readonly QueuedJob[]>;
}

/** How a job waits again. */
export interface Release {
  /** It is not leased before this has passed. */
  readonly pauseMs?: number;
  readonly kind?: string;
  /** Whether other jobs of the knowledge base come first. */
  readonly goesLast?: boolean;
  /** Whether the lease does not count as an attempt. */
  readonly isUncounted?: boolean;
}

/**
 * A queue in the table `queued_jobs`, shared by several processes. Users take turns. A lease is lost when
 * the job is queued again or removed, or when the lease expires because its process died.
 *
 * Transactions lock the rows of jobs before those of their subjects, unless the subject is new.
 */
export abstract class JobQueue<
  Row extends { id: string },
  Task extends readonly Lease<Row>[] = readonly [Lease<Row>],
> extends WorkQueue<Task> {
  private readonly logger = new Logger(this.constructor.name);
  /** The leases of this process on what it is working on. */
  protected readonly kept = new Set<Task[number]>();

  protected constructor(
    protected readonly dataSource: DataSource,
    protected readonly unitOfWork: UnitOfWork,
    private readonly entity: new () => Row,
    private readonly options: QueueOptions,
  ) {
    super();
  }

  /** Queues subjects. Those that are queued already lose their leases and begin anew. */
  async add(manager: EntityManager, ...ids: string[]): Promise<void> {
    const { name, kbId = 's.kb_id', kind = `''`, queueable = '1 = 1' } = this.options;
    const { dataSource } = manager;
    await manager.query(
      `INSERT INTO queued_jobs
         (queue, subject_id, kb_id, user_id, kind, priority, state, due_at, lease, attempts)
       SELECT '${name}', s.id, kb.id, COALESCE(kb.created_by, kb.id), ${kind}, 0, 'waiting',
         ${sqlNow(dataSource)}, NULL, 0
       FROM ${name} s JOIN knowledge_bases kb ON kb.id = ${kbId}
       WHERE s.id IN (${toParameters(dataSource, ids)}) AND ${queueable} ORDER BY s.id
       ON CONFLICT (queue, subject_id) DO UPDATE SET kind = excluded.kind, priority = 0,
         state = 'waiting', due_at = excluded.due_at, lease = NULL, attempts = 0`,
      ids,
    );
  }

  /** Removes the jobs of subjects, whose leases are lost. */
  async remove(manager: EntityManager, column: string, ...values: string[]): Promise<void> {
    const { name, queueable = '1 = 1' } = this.options;
    const parameters = toParameters(manager.dataSource, values);
    await manager.query(
      `DELETE FROM queued_jobs WHERE queue = '${name}' AND subject_id IN (
         SELECT s.id FROM ${name} s WHERE s.${column} IN (${parameters}) AND ${queueable})`,
      values,
    );
  }

  /** Counts the jobs of a user, or of one of the user's knowledge bases. */
  count(manager: EntityManager, fairShare: Partial<FairShare>): Promise<number> {
    const { name: queue } = this.options;
    return manager.countBy(QueuedJob, { queue, state: In(['waiting', 'leased']), ...fairShare });
  }

  override async lease(room: number): Promise<readonly Task[]> {
    const leases = room > 0 ? await this.leaseNext() : [];
    return leases.length > 0 ? [leases as readonly Lease<Row>[] as Task] : [];
  }

  /** Runs `work`, and renews the leases while it does. */
  override async keep(leases: Task, work: () => Promise<void>): Promise<void> {
    for (const lease of leases) this.kept.add(lease);
    const timer = setInterval(() => {
      this.renew(leases).catch((error: unknown) => {
        this.logger.error(error);
      });
    }, this.options.leaseMs / 3);
    try {
      await work();
    } finally {
      clearInterval(timer);
      for (const lease of leases) this.kept.delete(lease);
    }
  }

  /**
   * Locks the jobs whose leases are not lost.
   *
   * @param onLocked `skip_locked` leaves out those that others have locked, instead of waiting
   * @returns the ids of their subjects
   */
  async lockHeld(
    manager: EntityManager,
    leases: readonly Lease<Row>[],
    onLocked?: 'skip_locked',
  ): Promise<Set<string>> {
    const held = new Map(leases.map(({ id, job }) => [job.subjectId, id]));
    const jobs = await this.lock(manager, [...held.keys()], onLocked);
    const ids = jobs.map(({ subjectId, lease }) => held.get(subjectId) === lease && subjectId);
    return new Set(ids.filter((id) => id !== false));
  }

  /** Ends jobs whose leases are not lost. @returns the ids of their subjects */
  async end(manager: EntityManager, leases: readonly Lease<Row>[]): Promise<Set<string>> {
    const held = await this.lockHeld(manager, leases);
    await this.removeAll(manager, [...held]);
    return held;
  }

  /** Lets jobs whose leases are not lost wait again. @returns the ids of their subjects */
  async release(
    manager: EntityManager,
    leases: readonly Lease<Row>[],
    { pauseMs = 0, kind, goesLast = false, isUncounted = false }: Release = {},
  ): Promise<Set<string>> {
    const held = await this.lockHeld(manager, leases);
    if (held.size === 0) return held;
    const dueAt = after(await databaseNow(manager), pauseMs);
    await this.change(manager, held, {
      ...{ state: 'waiting', lease: null, dueAt },
      ...(kind !== undefined && { kind }),
      ...(goesLast && { priority: dueAt.getTime() }),
      ...(isUncounted && { attempts: () => 'attempts - 1' }),
    });
    return held;
  }

  /** Delays the next turn of a user by the time spent. */
  charge({ job }: Lease<Row>, milliseconds: number): Promise<void> {
    const { name } = this.options;
    return this.unitOfWork.run((manager) => chargeUser(manager, name, job, milliseconds));
  }

  /**
   * Leases jobs of the knowledge base whose turn it is, and searches again if another process has leased
   * them first. What this process works on is not leased again, even if a lease expired.
   */
  protected async leaseNext({ kinds, limit = 1, choose }: Choice = {}): Promise<Lease<Row>[]> {
    const { name: queue, maxPerUser = Infinity, onePerKnowledgeBase } = this.options;
    const kept = [...this.kept].map(({ job }) => job);
    const byUser = [...Map.groupBy(kept, ({ userId }) => userId)];
    const busy = byUser.filter(([, jobs]) => jobs.length >= maxPerUser).map(([userId]) => userId);
    // `NOT IN ()` is a syntax error in PostgreSQL.
    const excluded = ['', ...toIds(kept)];
    const leasable = [
      '(w.due_at <= :now OR w.due_at > :latest) AND w.subject_id NOT IN (:...excluded)',
      'w.user_id NOT IN (:...busy)',
      ...(kinds ? ['w.kind IN (:...kinds)'] : []),
      ...(onePerKnowledgeBase ? [NONE_LEASED] : []),
    ].join(' AND ');
    for (;;) {
      const now = await databaseNow(this.dataSource.manager);
      await this.reclaim(now);
      const parameters = { queue, now, latest: this.latest(now), excluded, busy: ['', ...busy] };
      const all = { ...parameters, kinds };
      const fairShare = await findNextTurn(this.dataSource, now, leasable, all);
      if (!fairShare) return [];
      const next = await this.dataSource
        .createQueryBuilder(QueuedJob, 'w')
        .where({ queue, state: 'waiting', ...fairShare })
        .andWhere(leasable, all)
        .orderBy('w.priority')
        .addOrderBy('w.subjectId')
        .limit(limit)
        .getMany();
      const chosen = choose ? await choose(next) : next;
      const ids = toIds(chosen);
      const leases = await this.unitOfWork.run(async (manager) => {
        const at = await databaseNow(manager);
        const jobs = await this.lock(manager, ids, 'skip_locked');
        const due = jobs.filter((job) => job.state === 'waiting' && this.isDue(job, at));
        return this.leaseLocked(manager, due, at);
      });
      if (leases.length > 0) return leases;
      excluded.push(...ids);
    }
  }

  /** Leases jobs that the transaction protects from changes by others. */
  protected async leaseLocked(
    manager: EntityManager,
    jobs: readonly QueuedJob[],
    now: Date,
  ): Promise<Lease<Row>[]> {
    if (jobs.length === 0) return [];
    const id = randomUUID();
    const ids = toIds(jobs);
    await this.change(manager, ids, {
      ...{ state: 'leased', lease: id, dueAt: after(now, this.options.leaseMs) },
      attempts: () => 'attempts + 1',
    });
    const rows = new Map((await this.start(manager, jobs)).map((row) => [row.id, row]));
    const deleted = ids.filter((subjectId) => !rows.has(subjectId));
    await this.removeAll(manager, deleted);
    return jobs.flatMap((job) => {
      const row = rows.get(job.subjectId);
      return row ? [{ id, job: { ...job, attempts: job.attempts + 1 }, row }] : [];
    });
  }

  /** Reads the subjects of jobs that are being leased; a queue may change their status before. */
  protected start(manager: EntityManager, jobs: readonly QueuedJob[]): Promise<Row[]> {
    const id = In(toIds(jobs));
    return manager.findBy(this.entity, { id } as FindOptionsWhere<Row>);
  }

  /** The latest time at which a job can be due. */
  private latest(now: Date): Date {
    const { leaseMs, maxPauseMs = 0 } = this.options;
    return after(now, Math.max(leaseMs, maxPauseMs) + TOLERANCE_MS);
  }

  private isDue({ dueAt }: QueuedJob, now: Date): boolean {
    return dueAt <= now || dueAt > this.latest(now);
  }

  /** Lets jobs wait again whose leases have expired. */
  protected async reclaim(now: Date): Promise<void> {
    const { name: queue } = this.options;
    const kept = toIds([...this.kept].map(({ job }) => job));
    const dueAt = Or(LessThanOrEqual(now), MoreThan(this.latest(now)));
    const expired = { queue, state: 'leased', dueAt, subjectId: Not(In(kept)) } as const;
    const found = await this.dataSource.manager.find(QueuedJob, {
      select: { subjectId: true, lease: true },
      where: expired,
    });
    if (found.length === 0) return;
    await this.unitOfWork.run(async (manager) => {
      // They may have been renewed or leased since, at a time that is later than `now`.
      const at = await databaseNow(manager);
      const jobs = await this.lock(manager, toIds(found), 'skip_locked');
      const freed = jobs.filter((job) => job.state === 'leased' && this.isDue(job, at));
      const columns = { state: 'waiting', lease: null, dueAt: now } as const;
      await this.change(manager, toIds(freed), columns);
    });
  }

  private async renew(leases: readonly Lease<Row>[]): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const dueAt = after(await databaseNow(manager), this.options.leaseMs);
      // Renewals must not wait for a locked row; it is renewed the next time.
      await this.change(manager, await this.lockHeld(manager, leases, 'skip_locked'), { dueAt });
    });
  }

  /** Found by ids alone: with other conditions, SQLite would read all jobs in a state. */
  protected lock(
    manager: EntityManager,
    subjectIds: Iterable<string>,
    onLocked?: 'skip_locked',
  ): Promise<QueuedJob[]> {
    const jobs = manager.createQueryBuilder(QueuedJob, 'job').where(this.toWhere(subjectIds));
    return lockRows(jobs, onLocked).orderBy('job.subjectId').getMany();
  }

  /** Changes jobs that the transaction has locked. */
  protected async change(
    manager: EntityManager,
    subjectIds: Iterable<string>,
    columns: QueryDeepPartialEntity<QueuedJob>,
  ): Promise<void> {
    const ids = [...subjectIds];
    if (ids.length > 0) await manager.update(QueuedJob, this.toWhere(ids), columns);
  }

  /** Removes jobs, whose leases are lost. */
  protected async removeAll(manager: EntityManager, subjectIds: readonly string[]): Promise<void> {
    if (subjectIds.length > 0) await manager.delete(QueuedJob, this.toWhere(subjectIds));
  }

  private toWhere(subjectIds: Iterable<string>): FindOptionsWhere<QueuedJob> {
    return { queue: this.options.name, subjectId: In([...subjectIds]) };
  }
}

/** SQL: no other job of the knowledge base is leased. */
const NONE_LEASED = `NOT EXISTS (SELECT 1 FROM queued_jobs other WHERE other.queue = w.queue
  AND other.state = 'leased' AND other.user_id = w.user_id AND other.kb_id = w.kb_id)`;

/** A time may have been written just after `now` was read. */
const TOLERANCE_MS = 1000;

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);

const toParameters = (dataSource: DataSource, values: readonly string[]): string =>
  values.map((_, index) => sqlParameter(dataSource, index)).join();

const toIds = (jobs: readonly QueuedJob[]): string[] => jobs.map(({ subjectId }) => subjectId);
