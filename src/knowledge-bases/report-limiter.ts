import { Injectable } from '@nestjs/common';
import { FairLimiter } from './fair-limiter.js';
import { FairShareLookup } from './fair-share-lookup.js';

/** The number of reports that a process runs at once, at most one per user: each has several statements. */
const CONCURRENCY = 2;

/** Runs reports, a few at once, fairly between users. */
@Injectable()
export class ReportLimiter {
  private readonly limiter = new FairLimiter(CONCURRENCY);

  constructor(private readonly fairShares: FairShareLookup) {}

  async run<T>(kbId: string, report: () => Promise<T>): Promise<T> {
    return this.limiter.run(await this.fairShares.findFairShare(kbId), undefined, report);
  }
}
