import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../platform/jobs/background-job.js';
import type { Claim } from './document-claims.js';
import { DocumentIndexer, type IndexingJob } from './document-indexer.js';
import type { IndexingLane } from './document.entity.js';
import { IngestionQueue } from './ingestion-queue.js';
import { LeaseRenewal } from './lease-renewal.js';

const POLL_INTERVAL_MS = 2000;
/** Documents, or groups of small ones, that one process indexes at a time. */
const CONCURRENCY = 3;
/** How many of them may take long; the remaining slot is for short documents. */
const MAX_LONG = CONCURRENCY - 1;
const LANES: readonly IndexingLane[] = ['group', 'single', 'long'];

/** Indexes uploaded documents in the background. */
@Injectable()
export class IngestionService extends BackgroundJob {
  private readonly jobs = new Map<IndexingJob, Promise<void>>();

  constructor(
    private readonly queue: IngestionQueue,
    private readonly indexer: DocumentIndexer,
    private readonly leases: LeaseRenewal,
  ) {
    super(POLL_INTERVAL_MS);
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await Promise.all(this.jobs.values());
  }

  /** Claims documents until all slots are taken or no document waits; none that it could not index. */
  protected override async run(): Promise<void> {
    while (!this.signal.aborted && this.jobs.size < CONCURRENCY && this.indexer.isAvailable) {
      const own = [...this.jobs.keys()].flatMap(({ claims }) => claims);
      const lanes = this.hasSlotForLong() ? LANES : LANES.filter((lane) => lane !== 'long');
      const claims = await this.queue.claim(
        own.map(({ document }) => document.id),
        lanes,
      );
      if (claims.length === 0) return;
      this.index(claims);
    }
  }

  private index(claims: readonly Claim[]): void {
    const job: IndexingJob = {
      claims,
      isLong: claims.some(({ document }) => document.lane === 'long'),
      // Only for a single document: in a group, the others would wait for the long one.
      mayTakeLong: () => {
        if (claims.length === 1 && !job.isLong) job.isLong = this.hasSlotForLong();
        return job.isLong;
      },
    };
    this.leases.add(claims);
    const work = this.indexer
      .process(job, this.signal)
      .catch((error: unknown) => {
        this.logger.error(error);
      })
      .finally(() => {
        this.leases.remove(claims);
        this.jobs.delete(job);
        this.start();
      });
    this.jobs.set(job, work);
  }

  private hasSlotForLong(): boolean {
    return [...this.jobs.keys()].filter(({ isLong }) => isLong).length < MAX_LONG;
  }
}
