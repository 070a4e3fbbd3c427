import type { DataSource } from 'typeorm';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import type { JobLock } from '../../platform/jobs/job-lock.js';
import type { Embeddings } from './embeddings.js';
import { windowsOf } from '@latchkey/embeddings/windows';
import type { ChunkVectors, ChunkWithoutVectors, VectorStore } from './vector-store.js';

const INTERVAL_MS = 15_000;
/** Chunks whose vectors are stored at once. */
const BATCH = 16;
/** Texts that are embedded at once: some endpoints take no more. */
const TEXTS = 32;
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
    const chunks = await this.store.missing(model, range, BATCH);
    if (chunks.length > 0) {
      const made = await this.embed(chunks);
      if (!made) return false;
      await this.store.store(model, made);
    }
    this.checkedUpTo = chunks.length < BATCH ? end : (chunks.at(-1)?.number ?? end);
    return true;
  }

  /** @returns the chunks of which there are vectors; undefined when the embeddings fail */
  private async embed(chunks: readonly ChunkWithoutVectors[]): Promise<ChunkVectors[] | undefined> {
    const windows = chunks.flatMap((chunk) =>
      windowsOf(chunk).map((window) => ({ ...window, number: chunk.number })),
    );
    const made: (ChunkVectors['windows'][number] & { readonly number: number })[] = [];
    for (let start = 0; start < windows.length; start += TEXTS) {
      const some = windows.slice(start, start + TEXTS);
      const texts = some.map(({ embedded }) => embedded);
      const vectors = await this.embeddings.ofPassages(texts, this.signal);
      if (!vectors) return undefined;
      for (const [index, window] of some.entries()) {
        const vector = vectors[index];
        if (vector) made.push({ ...window, vector });
      }
    }
    return [...Map.groupBy(made, ({ number }) => number)].map(([number, windows]) => ({
      number,
      windows,
    }));
  }

  private async newestChunk(): Promise<number> {
    const [row] = await this.dataSource.query<{ number: number | null }[]>(
      'SELECT max(number) AS number FROM chunks',
    );
    return row?.number ?? 0;
  }
}
