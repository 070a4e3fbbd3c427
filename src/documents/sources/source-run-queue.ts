import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository } from 'typeorm';
import { type QueueTable, UserTurns } from '../../knowledge-bases/user-turns.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type Lease, LeasedQueue } from '../../platform/jobs/leased-queue.js';
import { type RunCounts, SourceRun } from './source-run.entity.js';

/** How soon another process continues the run of one that died. */
const LEASE_MS = 20_000;
/** The pause after the database failed. */
const PAUSE_MS = 5000;

const UNFINISHED = In(['queued', 'running']);
const TABLE: QueueTable = {
  name: 'source_runs',
  waiting: `w.status IN ('queued', 'running')`,
  leasable: `(w.due_at <= :now OR w.due_at > :latest) AND w.user_id NOT IN (:...busyUserIds)
    AND w.id NOT IN (:...excluded)
    AND EXISTS (SELECT 1 FROM knowledge_bases WHERE id = w.kb_id AND state = 'active')`,
};

/** The runs that have not ended: those of the user whose turn it is, or of a process that died. */
@Injectable()
export class SourceRunQueue extends LeasedQueue<SourceRun> {
  constructor(
    @InjectRepository(SourceRun) private readonly runs: Repository<SourceRun>,
    unitOfWork: UnitOfWork,
    private readonly turns: UserTurns,
  ) {
    super(unitOfWork, SourceRun, { leaseMs: LEASE_MS, leased: { status: 'running' } });
  }

  /**
   * @param own ids of runs of this process; not leased, even if a lease expired
   * @param busyUserIds whose runs are not leased now
   */
  async lease(
    own: readonly string[],
    busyUserIds: readonly string[],
  ): Promise<Lease<SourceRun> | undefined> {
    // `NOT IN ()` is a syntax error in PostgreSQL.
    const excluded = ['', ...own];
    for (;;) {
      const now = await databaseNow(this.runs.manager);
      const tenant = await this.turns.next(TABLE, now, {
        now,
        latest: this.latest(now),
        busyUserIds: ['', ...busyUserIds],
        excluded,
      });
      if (!tenant) return undefined;
      const next = await this.runs.findOne({
        select: { id: true },
        where: { ...tenant, status: UNFINISHED, dueAt: this.due(now), id: Not(In(excluded)) },
        order: { dueAt: 'ASC', id: 'ASC' },
      });
      if (!next) return undefined;
      const [lease] = await this.leaseDue([next.id]);
      if (lease) return lease;
      // Another process leased it first.
      excluded.push(next.id);
    }
  }

  /** Stores how far it has come. @returns false when the lease is lost */
  report(lease: Lease<SourceRun>, counts: RunCounts): Promise<boolean> {
    return this.unitOfWork.run(
      async (manager) => (await this.change(manager, [lease], { counts })) === 1,
    );
  }

  /** Gives a run back, for another process to continue. */
  async release(lease: Lease<SourceRun>, counts: RunCounts, pauses: boolean): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const now = await databaseNow(manager);
      const dueAt = pauses ? new Date(now.getTime() + PAUSE_MS) : now;
      await this.change(manager, [lease], { status: 'queued', dueAt, counts });
    });
  }

  /** Delays the next turn of the user by the time spent on a run. */
  charge(run: SourceRun, milliseconds: number): Promise<void> {
    return this.turns.charge(TABLE, run, milliseconds);
  }
}
