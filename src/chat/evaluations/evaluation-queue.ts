import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository } from 'typeorm';
import { databaseNow } from '../../platform/database/database-now.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type Columns, type Lease, LeasedQueue } from '../../platform/jobs/leased-queue.js';
import { type QueueTable, UserTurns } from '../../knowledge-bases/user-turns.js';
import { Evaluation, UNFINISHED } from './evaluation.entity.js';

const LEASE_MS = 60_000;
/** The pause after questions could not be asked. Other evaluations of the knowledge base then go first. */
const PAUSE_MS = 10_000;

const DUE = '(w.due_at <= :now OR w.due_at > :latest)';
const TABLE: QueueTable = {
  name: 'evaluations',
  waiting: `w.status IN ('pending', 'running')`,
  leasable: `${DUE} AND w.user_id NOT IN (:...busyUserIds) AND w.id NOT IN (:...excluded)
    AND NOT EXISTS (SELECT 1 FROM evaluations other WHERE other.kb_id = w.kb_id
      AND other.status = 'running' AND other.due_at > :now AND other.due_at <= :latest)
    AND EXISTS (SELECT 1 FROM knowledge_bases WHERE id = w.kb_id AND state = 'active')`,
};

/**
 * The unfinished evaluations. Those of one knowledge base are leased one after the other, by one
 * process at a time.
 */
@Injectable()
export class EvaluationQueue extends LeasedQueue<Evaluation> {
  constructor(
    @InjectRepository(Evaluation) private readonly evaluations: Repository<Evaluation>,
    unitOfWork: UnitOfWork,
    private readonly turns: UserTurns,
  ) {
    super(unitOfWork, Evaluation, { leaseMs: LEASE_MS, leased: { status: 'running' } });
  }

  /**
   * Leases an evaluation of the user whose turn it is.
   *
   * @param busyUserIds whose evaluations are not leased now
   */
  async lease(busyUserIds: readonly string[]): Promise<Lease<Evaluation> | undefined> {
    // `NOT IN ()` is a syntax error in PostgreSQL.
    const excluded = [''];
    for (;;) {
      const now = await databaseNow(this.evaluations.manager);
      const tenant = await this.turns.next(TABLE, now, {
        now,
        latest: this.latest(now),
        busyUserIds: ['', ...busyUserIds],
        excluded,
      });
      if (!tenant) return undefined;
      const next = await this.evaluations.findOne({
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

  /**
   * Ends a lease, and delays the next turn of the user by the time that was spent.
   *
   * @param succeeded false if no question could be asked
   */
  async release(lease: Lease<Evaluation>, spentMs: number, succeeded: boolean): Promise<void> {
    // First, so that others go first once the evaluation can be leased again.
    await this.turns.charge(TABLE, lease.row, spentMs);
    await this.unitOfWork.run(async (manager) => {
      const pausedUntil = async () => new Date((await databaseNow(manager)).getTime() + PAUSE_MS);
      const dueAt = succeeded ? lease.row.dueAt : await pausedUntil();
      await this.change(manager, [lease], { dueAt });
    });
  }

  /** @returns false when the lease is lost */
  async finish(lease: Lease<Evaluation>, columns: Columns): Promise<boolean> {
    const change = { ...columns, dueAt: null, finishedAt: new Date() };
    return this.unitOfWork.run(
      async (manager) => (await this.change(manager, [lease], change)) === 1,
    );
  }
}
