import type { DataSource } from 'typeorm';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import type { Jobs } from '../../platform/jobs/jobs.js';
import type { Embeddings } from './embeddings.js';
import type { DocumentVersion } from '@latchkey/ranking/search-index';
import { splitWindows } from '@latchkey/embeddings/windows';
import { isSearchUnavailable } from './engine/search-unavailable-error.js';
import { UnavailableLog } from './engine/unavailable-log.js';
import { type PassageRange, VectorBacklog } from './vector-backlog.js';
import type { PassageVectors, PassageWithoutVectors, VectorStore } from './vector-store.js';

const INTERVAL_MS = 15_000;
/** The number of passages whose vectors are stored at once. */
const BATCH = 16;
/** The number of texts embedded at once; some endpoints accept no more. */
const TEXTS = 32;
/**
 * All passages are checked again after this many rounds, since a process may end before it has recorded
 * its own.
 */
const ROUNDS_PER_FULL_CHECK = 40;

/**
 * Computes vectors for passages that have none: after indexing, and at an interval, to retry failures.
 * A user with many passages does not delay others: each has one batch per round.
 */
export class VectorIndexing {
  private rounds = 0;
  private readonly unavailable = new UnavailableLog();
  private readonly backlog: VectorBacklog;

  constructor(
    private readonly embeddings: Embeddings | null,
    dataSource: DataSource,
    private readonly store: VectorStore,
    private readonly jobs: Jobs,
  ) {
    this.backlog = new VectorBacklog(dataSource);
  }

  /** Computes the vectors of versions whose passages were just committed. */
  async add(kbId: string, versions: readonly DocumentVersion[]): Promise<void> {
    if (!this.embeddings) return;
    await this.backlog.lookAt(kbId, versions);
    this.jobs.start(VectorIndexing);
  }

  @Job({ every: INTERVAL_MS, singleton: 'embeddings' })
  async embedMissing(round: JobRound): Promise<void> {
    if (this.embeddings?.model === undefined) return;
    try {
      await this.embedAll(round);
    } catch (error) {
      if (!isSearchUnavailable(error)) throw error;
      this.unavailable.note(error);
    }
  }

  private async embedAll({ signal, mayContinue }: JobRound): Promise<void> {
    if (this.rounds++ % ROUNDS_PER_FULL_CHECK === 0) this.backlog.reset();
    const away = new Set<string>();
    for (;;) {
      const ranges = await this.backlog.nextRound(away);
      if (ranges.length === 0) return;
      for (const range of ranges) {
        if (!(await mayContinue()) || !(await this.embedUnlessAway(range, away, signal))) return;
      }
    }
  }

  /**
   * If the own index of a knowledge base is unavailable, it is retried in the next round and does not
   * block others.
   */
  private async embedUnlessAway(
    range: PassageRange,
    away: Set<string>,
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      return await this.embedSome(range, signal);
    } catch (error) {
      if (!isSearchUnavailable(error) || !(await this.store.isApart(range.kbId))) throw error;
      this.unavailable.note(error);
      away.add(range.kbId);
      return true;
    }
  }

  /** @returns false when the embeddings fail */
  private async embedSome(range: PassageRange, signal: AbortSignal): Promise<boolean> {
    const model = this.embeddings?.model;
    if (model === undefined) return false;
    const passages = await this.store.missing(model, range, BATCH);
    if (passages.length > 0) {
      await this.store.requireEngine(range.kbId);
      const made = await this.embed(passages, signal);
      if (!made) return false;
      await this.store.store(model, range.kbId, made);
    }
    const isDone = passages.length < BATCH;
    this.backlog.note(range, isDone ? range.end : (passages.at(-1)?.number ?? range.end));
    return true;
  }

  /** @returns the passages that got vectors; undefined if the embeddings fail */
  private async embed(
    passages: readonly PassageWithoutVectors[],
    signal: AbortSignal,
  ): Promise<PassageVectors[] | undefined> {
    const windows = passages.flatMap((passage) =>
      splitWindows(passage).map((window) => ({ ...window, number: passage.number })),
    );
    const made: (PassageVectors['windows'][number] & { readonly number: number })[] = [];
    for (let start = 0; start < windows.length; start += TEXTS) {
      const some = windows.slice(start, start + TEXTS);
      const texts = some.map(({ embedded }) => embedded);
      const vectors = await this.embeddings?.embedPassages(texts, signal);
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
