import type { DataSource } from 'typeorm';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import type { JobLock } from '../../platform/jobs/job-lock.js';
import type { Embeddings } from './embeddings.js';
import type { VectorStore } from './vector-store.js';

const INTERVAL_MS = 15_000;
/** Chunks that are embedded at once. */
const BATCH = 64;
/** Chunk numbers in one query for missing vectors, so that the query stays short. */
const NUMBER_RANGE = 2000;
/**
 * Every so many rounds all chunks are checked again: a transaction that commits late adds chunks with
 * numbers below `checkedUpTo`.
 */
const ROUNDS_PER_FULL_CHECK = 40;

/**
 * Makes vectors for chunks that have none: after indexing, and at an interval, to retry failures.
 */
export class VectorIndexing extends BackgroundJob {
  private rounds = 0;
  /** All chunks up to this number have vectors, or were rejected by the model. */
  private checkedUpTo = 0;

  constructor(
    private readonly embeddings: Embeddings,
    private readonly dataSource: DataSource,
    private readonly store: VectorStore,
    private readonly jobs: JobLock,
  ) {
    super(INTERVAL_MS);
  }

  protected override async run(): Promise<void> {
    if (this.rounds++ % ROUNDS_PER_FULL_CHECK === 0) this.checkedUpTo = 0;
    const newest = await this.newestChunk();
    if (this.checkedUpTo >= newest) return;
    // A process that does not get the lock tries again in its next round.
    await this.jobs.run('embeddings', this.signal, async (mayContinue) => {
      await this.store.prepare();
      while (this.checkedUpTo < newest && (await mayContinue())) {
        const succeeded = await this.embedUpTo(Math.min(this.checkedUpTo + NUMBER_RANGE, newest));
        if (!succeeded) return;
      }
    });
  }

  /** @returns false when the embeddings fail */
  private async embedUpTo(end: number): Promise<boolean> {
    const { model } = this.embeddings;
    const range = { after: this.checkedUpTo, end };
    await this.store.convert(range);
    const chunks = await this.store.missing(model, range, BATCH);
    if (chunks.length > 0) {
      const vectors = await this.embeddings.ofPassages(
        chunks.map(({ text }) => text),
        this.signal,
      );
      if (!vectors) return false;
      const made = chunks.flatMap(({ number }, index) => {
        const vector = vectors[index];
        return vector ? [{ number, vector }] : [];
      });
      await this.store.store(model, made);
    }
    this.checkedUpTo = chunks.length < BATCH ? end : (chunks.at(-1)?.number ?? end);
    return true;
  }

  private async newestChunk(): Promise<number> {
    const [row] = await this.dataSource.query<{ number: number | null }[]>(
      'SELECT max(number) AS number FROM chunks',
    );
    return row?.number ?? 0;
  }
}
