import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In } from 'typeorm';
import { JobQueue, type Lease } from '../../knowledge-bases/job-queue.js';
import type { QueuedJob } from '../../knowledge-bases/queued-job.entity.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Evaluation } from './evaluation.entity.js';

const LEASE_MS = 60_000;
/** The pause after questions failed. Other evaluations of the knowledge base go first. */
const PAUSE_MS = 10_000;

/**
 * The queue of unfinished evaluations. Those of one knowledge base are leased one after the other, by one
 * process at a time.
 */
@Injectable()
export class EvaluationQueue extends JobQueue<Evaluation> {
  constructor(@InjectDataSource() dataSource: DataSource, unitOfWork: UnitOfWork) {
    super(dataSource, unitOfWork, Evaluation, {
      ...{ name: 'evaluations', leaseMs: LEASE_MS },
      ...{ maxPerUser: 1, onePerKnowledgeBase: true },
    });
  }

  protected override async start(
    manager: EntityManager,
    jobs: readonly QueuedJob[],
  ): Promise<Evaluation[]> {
    const id = In(jobs.map(({ subjectId }) => subjectId));
    await manager.update(Evaluation, { id, status: 'pending' }, { status: 'running' });
    return super.start(manager, jobs);
  }

  /**
   * Ends a lease, and delays the next turn of the user by the time that was spent.
   *
   * @param succeeded false if no question could be asked
   */
  async endTurn(lease: Lease<Evaluation>, spentMs: number, succeeded: boolean): Promise<void> {
    // The delay must be stored before the evaluation can be leased again, so that others go first.
    await this.charge(lease, spentMs);
    const pause = succeeded ? {} : { pauseMs: PAUSE_MS };
    await this.unitOfWork.run((manager) => this.release(manager, [lease], pause));
  }

  /** Ends the evaluation, unless the lease is lost. */
  async finish(
    lease: Lease<Evaluation>,
    columns: Partial<Pick<Evaluation, 'status' | 'figures' | 'errorCode'>>,
  ): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      for (const id of await this.end(manager, [lease])) {
        await manager.update(Evaluation, { id }, { ...columns, finishedAt: new Date() });
      }
    });
  }
}
