import { Injectable } from '@nestjs/common';
import { FairQueue } from './fair-queue.js';
import { TenantLookup } from './tenant-lookup.js';

/** The number of reports that a process runs at once, at most one per user: each has several statements. */
const CONCURRENCY = 2;

/** Runs reports, a few at once, fairly between users. */
@Injectable()
export class ReportQueue {
  private readonly queue = new FairQueue(CONCURRENCY);

  constructor(private readonly tenants: TenantLookup) {}

  async run<T>(kbId: string, report: () => Promise<T>): Promise<T> {
    return this.queue.run(await this.tenants.findTenant(kbId), undefined, report);
  }
}
