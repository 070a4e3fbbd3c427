import { Injectable } from '@nestjs/common';
import { FairQueue } from './fair-queue.js';
import { TenantLookup } from './tenant-lookup.js';

/** Reports that one process makes at once, at most one of a user's: each has several statements. */
const CONCURRENCY = 2;

/** The turns of reports. */
@Injectable()
export class ReportTurns {
  private readonly queue = new FairQueue(CONCURRENCY);

  constructor(private readonly tenants: TenantLookup) {}

  async run<T>(kbId: string, report: () => Promise<T>): Promise<T> {
    return this.queue.run(await this.tenants.findTenant(kbId), undefined, report);
  }
}
