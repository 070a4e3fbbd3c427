import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { databaseNow } from '../../platform/database/database-now.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { QueuedColumns, Lease } from '../../platform/jobs/leased-queue.js';
import { TenantQueue } from '../../knowledge-bases/tenant-queue.js';
import { type QueueTable, UserTurns } from '../../knowledge-bases/user-turns.js';
import { Evaluation } from './evaluation.entity.js';

const LEASE_MS = 60_000;
/** The pause after questions failed. Other evaluations of the knowledge base go first. */
const PAUSE_MS = 10_000;

const TABLE: QueueTable = {
  name: 'evaluations',
  waiting: `w.status IN ('pending', 'running')`,
  leasable: `w.user_id NOT IN (:...busyUserIds)
    AND NOT EXISTS (SELECT 1 FROM evaluations other WHERE other.kb_id = w.kb_id
      AND other.status = 'running' AND other.due_at > :now AND other.due_at <= :latest)
    AND EXISTS (SELECT 1 FROM knowledge_bases WHERE id = w.kb_id AND state = 'active')`,
};

/**
 * The queue of unfinished evaluations. Those of one knowledge base are leased one after the other, by one
 * process at a time.
 */
@Injectable()
export class EvaluationQueue extends TenantQueue<Evaluation> {
  constructor(
    @InjectRepository(Evaluation) evaluations: Repository<Evaluation>,
    unitOfWork: UnitOfWork,
    turns: UserTurns,
  ) {
    super(TABLE, evaluations, unitOfWork, turns, {
      leaseMs: LEASE_MS,
      leased: { status: 'running' },
    });
  }

  /** Leases an evaluation of the next user, unless one of that user's is running in this process. */
  lease(): Promise<Lease<Evaluation> | undefined> {
    return this.leaseNext(1);
  }

  /**
   * Ends a lease, and delays the next turn of the user by the time that was spent.
   *
   * @param succeeded false if no question could be asked
   */
  async release(lease: Lease<Evaluation>, spentMs: number, succeeded: boolean): Promise<void> {
    // The delay must be stored before the evaluation can be leased again, so that others go first.
    await this.charge(lease.row, spentMs);
    await this.unitOfWork.run(async (manager) => {
      const pausedUntil = async () => new Date((await databaseNow(manager)).getTime() + PAUSE_MS);
      const dueAt = succeeded ? lease.row.dueAt : await pausedUntil();
      await this.change(manager, [lease], { dueAt });
    });
  }

  /** @returns false when the lease is lost */
  async finish(lease: Lease<Evaluation>, columns: QueuedColumns): Promise<boolean> {
    const change = { ...columns, dueAt: null, finishedAt: new Date() };
    return this.unitOfWork.run(
      async (manager) => (await this.change(manager, [lease], change)) === 1,
    );
  }
}
