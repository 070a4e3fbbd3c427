import { OnApplicationShutdown } from '@nestjs/common';
import { DocumentVersion, SearchIndex } from '@latchkey/ranking/search-index';
import { FairQueue } from '../../knowledge-bases/fair-queue.js';
import type { TenantLookup } from '../../knowledge-bases/tenant-lookup.js';
import { resultOf, type WorkerAnswer } from '../../platform/jobs/worker-answer.js';
import { WorkerPool } from '../../platform/jobs/worker-pool.js';
import type { AddRequest, IndexTask, MoveRequest, RemoveRequest } from './index-tasks.js';
import type { PostingPlace } from './index-writer.js';
import type { EnginePlace } from './opensearch/engine-place.js';

/** Passages that one transaction removes, so that other writes do not wait long. */
const REMOVE_BATCH = 50;
const WRITER_IDLE_MS = 60_000;

/**
 * An index that is written in a thread of its own, in turns of users: while large documents were
 * indexed on the event loop, the 99th percentile of another user's questions was 1.5 times as high.
 */
export abstract class ThreadWrittenIndex extends SearchIndex implements OnApplicationShutdown {
  private readonly writer: WorkerPool;
  private readonly writes = new FairQueue(1);

  constructor(
    protected readonly tenants: TenantLookup,
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
   * Moves the postings of a knowledge base, or copies them to a place in the engine; questions are answered
   * meanwhile. Idempotent.
   *
   * @returns false where it has stopped, since it may not continue
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

  /** Runs a task that changes an index; undefined where the knowledge base is gone. */
  protected abstract change<T>(
    task: IndexTask,
    request: { readonly kbId: string },
  ): Promise<T | undefined>;

  /** @param attempt what is done around the task, when it is its turn */
  protected async write<T>(task: string, request: { readonly kbId: string }): Promise<T> {
    const tenant = await this.tenants.findTenant(request.kbId);
    return this.writes.run(tenant, undefined, () => this.runWriter<T>(task, request));
  }

  protected async runWriter<T>(name: string, request: object): Promise<T> {
    return resultOf((await this.writer.run(request, { name })) as WorkerAnswer<T>);
  }
}
