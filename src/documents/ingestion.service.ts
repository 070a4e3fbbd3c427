import { Injectable } from '@nestjs/common';
import type { Lease } from '../platform/jobs/leased-queue.js';
import { Job, type JobRound } from '../platform/jobs/job.js';
import { DocumentIndexer, type IndexingJob } from './document-indexer.js';
import type { Document, IndexingMode } from './document.entity.js';
import { IngestionQueue } from './ingestion-queue.js';

const POLL_INTERVAL_MS = 2000;
/** The number of documents, or groups of small ones, that one process indexes at a time. */
const CONCURRENCY = 3;
/** The number of them that may take long; the remaining slot is for short documents. */
const MAX_LONG = CONCURRENCY - 1;
/**
 * The number of additional documents whose pages are recognised at a time; their processes have a low
 * priority.
 */
const MAX_RECOGNITIONS = 1;
const MODES: readonly IndexingMode[] = ['group', 'single', 'long'];

/** Indexes uploaded documents in the background. */
@Injectable()
export class IngestionService {
  private readonly running = new Set<IndexingJob>();

  constructor(
    private readonly queue: IngestionQueue,
    private readonly indexer: DocumentIndexer,
  ) {}

  /**
   * Leases documents until all slots are taken or none is waiting. Leases none while the indexer is
   * unavailable.
   */
  @Job({ every: POLL_INTERVAL_MS })
  async indexWaiting(round: JobRound): Promise<void> {
    while (!round.signal.aborted && this.indexer.isAvailable) {
      const recognitions = [...this.running].filter(isRecognition).length;
      if (this.running.size - recognitions >= CONCURRENCY) return;
      const modes = this.hasSlotForLong() ? MODES : MODES.filter((mode) => mode !== 'long');
      let leases = await this.queue.lease(modes);
      // Recognition runs only when nothing else is waiting.
      if (leases.length === 0 && recognitions < MAX_RECOGNITIONS) {
        leases = await this.queue.lease(['recognition']);
      }
      if (leases.length === 0) return;
      this.index(leases, round);
    }
  }

  private index(leases: readonly Lease<Document>[], { signal, begin }: JobRound): void {
    const job: IndexingJob = {
      leases,
      isLong: leases.some(({ row }) => row.indexingMode === 'long'),
      // Only a single document may take long: in a group, the others would wait for it.
      mayTakeLong: () => {
        if (isRecognition(job)) return true;
        if (leases.length === 1 && !job.isLong) job.isLong = this.hasSlotForLong();
        return job.isLong;
      },
    };
    this.running.add(job);
    begin(() =>
      this.queue
        .keep(leases, () => this.indexer.process(job, signal))
        .finally(() => this.running.delete(job)),
    );
  }

  private hasSlotForLong(): boolean {
    return [...this.running].filter(({ isLong }) => isLong).length < MAX_LONG;
  }
}

const isRecognition = ({ leases }: IndexingJob): boolean =>
  leases.some(({ row }) => row.indexingMode === 'recognition');
