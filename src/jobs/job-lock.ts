import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { databaseNow } from '../database/database-now.js';
import { JobLease } from './job-lease.entity.js';
import { UnitOfWork } from '../database/unit-of-work.js';

const LEASE_MS = 60_000;

/** Keeps processes that share the database from doing the same background work at once. */
@Injectable()
export class JobLock {
  private readonly holder = randomUUID();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Runs `work` unless another process has the job. A process that dies leaves it free after a
   * minute; `work` has to call `mayContinue`, which renews the lease, more often than that, and to
   * stop when it answers false: the lease is lost, or `signal` is aborted.
   */
  async run(
    job: string,
    signal: AbortSignal,
    work: (mayContinue: () => Promise<boolean>) => Promise<void>,
  ): Promise<void> {
    const mayContinue = async () => !signal.aborted && (await this.take(job));
    if (!(await mayContinue())) return;
    try {
      await work(mayContinue);
    } finally {
      await this.unitOfWork.run((manager) =>
        manager.delete(JobLease, { job, holder: this.holder }),
      );
    }
  }

  /** Takes the job or keeps it. */
  private take(job: string): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const now = await databaseNow(manager);
      const lease = { holder: this.holder, expiresAt: new Date(now.getTime() + LEASE_MS) };
      const { affected } = await manager.update(JobLease, { job, holder: this.holder }, lease);
      if (affected === 1) return true;
      await manager.delete(JobLease, { job, expiresAt: LessThanOrEqual(now) });
      await manager
        .createQueryBuilder()
        .insert()
        .into(JobLease)
        .values({ job, ...lease })
        .orIgnore()
        .execute();
      return manager.existsBy(JobLease, { job, holder: this.holder });
    });
  }
}
