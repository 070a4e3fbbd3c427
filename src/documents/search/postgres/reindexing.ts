import { BackgroundJob } from '../../../platform/jobs/background-job.js';

const RETRY_MS = 10_000;

/**
 * Indexes chunks again that an earlier version of the service indexed, one posting a row and without
 * languages. Until then they are found by these rows.
 */
export class Reindexing extends BackgroundJob {
  private isDone = false;

  /** @param reindexBatch returns whether no outdated chunk is left */
  constructor(private readonly reindexBatch: () => Promise<boolean>) {
    super(RETRY_MS);
  }

  protected override async run(): Promise<void> {
    while (!this.isDone && !this.signal.aborted) this.isDone = await this.reindexBatch();
  }
}
