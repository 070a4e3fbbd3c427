import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { databaseNow } from '../database/database-now.js';
import { JobLease } from './job-lease.entity.js';
import { UnitOfWork } from '../database/unit-of-work.js';

const LEASE_MS = 60_000;
const RENEWAL_MS = 20_000;

/** Lets only one of the processes that share the database run a background job at a time. */
@Injectable()
export class JobLock {
  private readonly holder = randomUUID();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Runs `work` unless another process holds the lease on the job, which expires a minute after the
   * process that holds it has died. If `mayContinue` returns false, the lease is lost or `signal` is
   * aborted, and `work` must stop.
   *
   * @returns whether it was run
   */
  async run(
    job: string,
    signal: AbortSignal,
    work: (mayContinue: () => Promise<boolean>) => Promise<void>,
  ): Promise<boolean> {
    const mayContinue = async () => !signal.aborted && (await this.take(job));
    if (!(await mayContinue())) return false;
    let renewal: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      renewal = this.take(job).catch(() => undefined);
    }, RENEWAL_MS);
    try {
      await work(mayContinue);
      return true;
    } finally {
      clearInterval(timer);
      await renewal;
      await this.unitOfWork.run((manager) =>
        manager.delete(JobLease, { job, holder: this.holder }),
      );
    }
  }

  /** Takes or renews the lease. */
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
