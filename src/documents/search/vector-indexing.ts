import type { DataSource } from 'typeorm';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import type { JobLock } from '../../platform/jobs/job-lock.js';
import type { Embeddings } from './embeddings.js';
import { windowsOf } from '@latchkey/embeddings/windows';
import { type PassageRange, VectorBacklog } from './vector-backlog.js';
import type { PassageVectors, PassageWithoutVectors, VectorStore } from './vector-store.js';

const INTERVAL_MS = 15_000;
/** Passages whose vectors are stored at once. */
const BATCH = 16;
/** Texts that are embedded at once: some endpoints take no more. */
const TEXTS = 32;
/**
 * Every so many rounds all passages are checked again: a transaction that commits late adds
 * passages with numbers below those that were checked.
 */
const ROUNDS_PER_FULL_CHECK = 40;

/**
 * Makes vectors for passages that have none: after indexing, and at an interval, to retry failures.
 * A user with many of them does not delay those of others: each has a batch in a round.
 */
export class VectorIndexing extends BackgroundJob {
  private rounds = 0;
  private readonly backlog: VectorBacklog;

  constructor(
    private readonly embeddings: Embeddings,
    dataSource: DataSource,
    private readonly store: VectorStore,
    private readonly jobs: JobLock,
  ) {
    super(INTERVAL_MS);
    this.backlog = new VectorBacklog(dataSource);
  }

  protected override async run(): Promise<void> {
    if (this.embeddings.model === undefined) return;
    if (this.rounds++ % ROUNDS_PER_FULL_CHECK === 0) this.backlog.reset();
    let ranges = await this.backlog.nextRound();
    if (ranges.length === 0) return;
    // A process that does not get the lock tries again in its next round.
    await this.jobs.run('embeddings', this.signal, async (mayContinue) => {
      for (; ranges.length > 0; ranges = await this.backlog.nextRound()) {
        for (const range of ranges) {
          if (!(await mayContinue()) || !(await this.embedSome(range))) return;
        }
      }
    });
  }

  /** @returns false when the embeddings fail */
  private async embedSome(range: PassageRange): Promise<boolean> {
    const { model } = this.embeddings;
    if (model === undefined) return false;
    const passages = await this.store.missing(model, range, BATCH);
    if (passages.length > 0) {
      const made = await this.embed(passages);
      if (!made) return false;
      await this.store.store(model, made);
    }
    const isDone = passages.length < BATCH;
    this.backlog.note(range, isDone ? range.end : (passages.at(-1)?.number ?? range.end));
    return true;
  }

  /** @returns the passages of which there are vectors; undefined when the embeddings fail */
  private async embed(
    passages: readonly PassageWithoutVectors[],
  ): Promise<PassageVectors[] | undefined> {
    const windows = passages.flatMap((passage) =>
      windowsOf(passage).map((window) => ({ ...window, number: passage.number })),
    );
    const made: (PassageVectors['windows'][number] & { readonly number: number })[] = [];
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
}
