import { OnApplicationShutdown } from '@nestjs/common';
import { DocumentVersion, SearchIndex } from '@latchkey/ranking/search-index';
import { FairLimiter } from '../../knowledge-bases/fair-limiter.js';
import type { FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { unwrapResult, type WorkerAnswer } from '../../platform/jobs/worker-answer.js';
import { WorkerPool } from '../../platform/jobs/worker-pool.js';
import type { AddRequest, IndexTask, MoveRequest, RemoveRequest } from './index-tasks.js';
import type { PostingPlace } from './index-writer.js';
import type { EnginePlace } from './engine/engine-place.js';

/** The number of passages that one transaction removes, so that other writes do not wait long. */
const REMOVE_BATCH = 50;
const WRITER_IDLE_MS = 60_000;

/**
 * An index written in its own thread, with users taking turns: while large documents were indexed on
 * the event loop, the 99th percentile of other users' questions was 1.5 times as high.
 */
export abstract class ThreadWrittenIndex extends SearchIndex implements OnApplicationShutdown {
  private readonly writer: WorkerPool;
  private readonly writes = new FairLimiter(1);

  constructor(
    protected readonly fairShares: FairShareLookup,
    writer: URL,
    workerData: object,
  ) {
    super();
    const options = { workerData, maxThreads: 1, idleTimeout: WRITER_IDLE_MS };
    this.writer = new WorkerPool(writer, options);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.writer.destroy();
  }

  override get canWrite(): boolean {
    return this.writer.isAvailable;
  }

  override async add(kbId: string, versions: readonly DocumentVersion[]): Promise<void> {
    for (let rest: AddRequest | undefined = { kbId, versions, after: 0 }; rest;) {
      rest = await this.change<AddRequest | undefined>('add', rest);
    }
  }

  override async remove(kbId: string, passageNumbers: number[]): Promise<void> {
    for (let start = 0; start < passageNumbers.length; start += REMOVE_BATCH) {
      const some = passageNumbers.slice(start, start + REMOVE_BATCH);
      const request: RemoveRequest = { kbId, passageNumbers: some };
      await this.change('remove', request);
    }
  }

  /**
   * Moves the postings of a knowledge base, or copies them to a place in the engine. Questions are
   * still answered in the meantime. Idempotent.
   *
   * @returns false if `mayContinue` stopped it
   */
  async move(
    kbId: string,
    to: PostingPlace | EnginePlace,
    mayContinue = () => Promise.resolve(true),
  ): Promise<boolean> {
    for (let rest: MoveRequest | undefined = { kbId, to, after: 0 }; rest;) {
      if (!(await mayContinue())) return false;
      rest = await this.change<MoveRequest | undefined>('move', rest);
    }
    return true;
  }

  /** Whether the search engine has the postings of a knowledge base. */
  async isInEngine(kbId: string): Promise<boolean> {
    return (await this.change<boolean>('isInEngine', { kbId })) ?? false;
  }

  /** Runs a task that changes an index; returns undefined if the knowledge base is gone. */
  protected abstract change<T>(
    task: IndexTask,
    request: { readonly kbId: string },
  ): Promise<T | undefined>;

  /** Runs a task in the writer thread when it is the turn of its user. */
  protected async write<T>(task: string, request: { readonly kbId: string }): Promise<T> {
    const fairShare = await this.fairShares.findFairShare(request.kbId);
    return this.writes.run(fairShare, undefined, () => this.runWriter<T>(task, request));
  }

  protected async runWriter<T>(name: string, request: object): Promise<T> {
    return unwrapResult((await this.writer.run(request, { name })) as WorkerAnswer<T>);
  }
}
