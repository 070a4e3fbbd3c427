import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { TenantQueue } from '../../knowledge-bases/tenant-queue.js';
import { type QueueTable, UserTurns } from '../../knowledge-bases/user-turns.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Lease } from '../../platform/jobs/leased-queue.js';
import { type RunCounts, SourceRun } from './source-run.entity.js';

/** The time after which another process continues the run of one that died. */
const LEASE_MS = 20_000;
/** The pause after the database failed. */
const PAUSE_MS = 5000;
/** Runs per user at a time in one process. */
const MAX_OF_USER = 2;

const TABLE: QueueTable = {
  name: 'source_runs',
  waiting: `w.status IN ('queued', 'running')`,
  leasable: `w.user_id NOT IN (:...busyUserIds)
    AND EXISTS (SELECT 1 FROM knowledge_bases WHERE id = w.kb_id AND state = 'active')`,
};

/** The queue of unfinished runs. It leases runs of the next user, and those of processes that died. */
@Injectable()
export class SourceRunQueue extends TenantQueue<SourceRun> {
  constructor(
    @InjectRepository(SourceRun) runs: Repository<SourceRun>,
    unitOfWork: UnitOfWork,
    turns: UserTurns,
  ) {
    super(TABLE, runs, unitOfWork, turns, { leaseMs: LEASE_MS, leased: { status: 'running' } });
  }

  lease(): Promise<Lease<SourceRun> | undefined> {
    return this.leaseNext(MAX_OF_USER);
  }

  /** Stores the progress. @returns false if the lease is lost */
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
}
