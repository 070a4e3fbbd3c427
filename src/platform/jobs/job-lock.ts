import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { databaseNow } from '../database/database-now.js';
import { JobLease } from './job-lease.entity.js';
import { UnitOfWork } from '../database/unit-of-work.js';

const LEASE_MS = 60_000;
const RENEWAL_MS = 20_000;

/** Whether the work may continue; called before each step. */
export type MayContinue = () => Promise<boolean>;

/** Ensures that only one of the processes sharing the database runs a background job at a time. */
@Injectable()
export class JobLock {
  private readonly holder = randomUUID();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Runs `work`, whose `mayContinue` takes the lease on the job at its first call, and renews it
   * afterwards. It returns false if another process has the lease, this one has lost it, or `signal` is
   * aborted. A lease expires a minute after the process that holds it has died.
   */
  async run(
    job: string,
    signal: AbortSignal,
    work: (mayContinue: MayContinue) => Promise<void>,
  ): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let renewal: Promise<unknown> = Promise.resolve();
    const mayContinue = async () => {
      if (signal.aborted) return false;
      if (timer) return this.renew(job);
      // The lease of the last round may still be held, if it could not be released.
      if (!(await this.renew(job)) && !(await this.take(job))) return false;
      timer = setInterval(() => {
        renewal = this.renew(job).catch(() => undefined);
      }, RENEWAL_MS);
      return true;
    };
    try {
      await work(mayContinue);
    } finally {
      if (timer) {
        clearInterval(timer);
        await renewal;
        await this.unitOfWork.run((manager) =>
          manager.delete(JobLease, { job, holder: this.holder }),
        );
      }
    }
  }

  private take(job: string): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const now = await databaseNow(manager);
      await manager.delete(JobLease, { job, expiresAt: LessThanOrEqual(now) });
      await manager
        .createQueryBuilder()
        .insert()
        .into(JobLease)
        .values({ job, holder: this.holder, expiresAt: toExpiry(now) })
        .orIgnore()
        .execute();
      return manager.existsBy(JobLease, { job, holder: this.holder });
    });
  }

  /**
   * Renews the lease. If another process had it in the meantime, it is lost, even if that process has
   * released it.
   */
  private renew(job: string): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const expiresAt = toExpiry(await databaseNow(manager));
      const lease = { job, holder: this.holder };
      return (await manager.update(JobLease, lease, { expiresAt })).affected === 1;
    });
  }
}

const toExpiry = (now: Date) => new Date(now.getTime() + LEASE_MS);
