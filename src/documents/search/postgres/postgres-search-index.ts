import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import type { PostgresConfig } from '../../../platform/config/config.js';
import { CommitsWaitError } from '../../../platform/database/database-error.js';
import { Reads } from '../../../platform/database/reads.js';
import { WaitingCommits } from '../../../platform/database/topology/waiting-commits.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { resultOf, type WorkerAnswer } from '../../../platform/jobs/worker-answer.js';
import { WorkerPool } from '../../../platform/jobs/worker-pool.js';
import { FairQueue, QUESTION_LIMITS } from '../../../knowledge-bases/fair-queue.js';
import { TenantLookup } from '../../../knowledge-bases/tenant-lookup.js';
import { SearchDeadline, SearchInterruptedError } from '@latchkey/ranking/search-deadline';
import { describeWait } from '../describe-wait.js';
import {
  DocumentVersion,
  SearchIndex,
  SearchQuery,
  SearchResult,
} from '@latchkey/ranking/search-index';
import { searchPassages } from '@latchkey/ranking/search-passages';
import type { AddRequest } from './add-batch.js';
import { PostgresIndexReader } from './postgres-index-reader.js';
import { SearchConnection } from './search-connection.js';

/** Chunks that one transaction removes, so that other writes do not wait long. */
const REMOVE_BATCH = 50;
/** Rows of a dropped index that one transaction removes. */
const DROP_BATCH = 5000;
/** Searches of one process at once. With more, each would only take longer. */
const MAX_SEARCHES = 4;
const WRITER_IDLE_MS = 60_000;

type WriteTask = 'add' | 'remove';

/**
 * BM25 over blocks of postings. PostgreSQL's own ranking functions use no document frequencies and
 * rank clearly worse.
 */
@Injectable()
export class PostgresSearchIndex extends SearchIndex implements OnApplicationShutdown {
  /**
   * One thread, with a connection of its own: while large documents were indexed on the event loop, the
   * 99th percentile of another user's questions was 1.5 times as high.
   */
  private readonly writer: WorkerPool;
  private readonly searches: FairQueue;
  private readonly writes = new FairQueue(1);

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly waitingCommits: WaitingCommits,
    private readonly tenants: TenantLookup,
    private readonly searchTimeoutMs: number,
    config: PostgresConfig,
  ) {
    super();
    this.writer = new WorkerPool(new URL('./postgres-index.worker.js', import.meta.url), {
      workerData: config,
      maxThreads: 1,
      idleTimeout: WRITER_IDLE_MS,
    });
    // The other connections are left to everything else, such as the check of each API key.
    const searches = Math.min(MAX_SEARCHES, Math.max(1, Math.floor(config.DATABASE_POOL_SIZE / 2)));
    this.searches = new FairQueue(searches, QUESTION_LIMITS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.writer.destroy();
  }

  override get canWrite(): boolean {
    return this.writer.isAvailable;
  }

  override async add(kbId: string, versions: readonly DocumentVersion[]): Promise<void> {
    for (let rest: AddRequest | undefined = { kbId, versions, after: 0 }; rest;) {
      rest = await this.writeInTurn<AddRequest | undefined>('add', rest);
    }
  }

  override async remove(kbId: string, chunkNumbers: number[]): Promise<void> {
    for (let start = 0; start < chunkNumbers.length; start += REMOVE_BATCH) {
      const request = { kbId, chunkNumbers: chunkNumbers.slice(start, start + REMOVE_BATCH) };
      await this.writeInTurn('remove', request);
    }
  }

  override async drop(kbId: string): Promise<void> {
    const tables = [
      'search_blocks',
      'search_chunks',
      'search_languages',
      'search_words',
      'search_spellings',
    ];
    for (const table of tables) {
      for (let removed = DROP_BATCH; removed === DROP_BATCH;) {
        removed = await this.unitOfWork.run(async (manager) => {
          const [, affected] = await manager.query<[unknown, number]>(
            `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
               SELECT ctid FROM ${table} WHERE index_number =
                 (SELECT number FROM search_indexes WHERE kb_id = $1) LIMIT ${DROP_BATCH}))`,
            [kbId],
          );
          return affected;
        });
      }
    }
    await this.unitOfWork.run((manager) =>
      manager.query('DELETE FROM search_indexes WHERE kb_id = $1', [kbId]),
    );
  }

  override async search(query: SearchQuery): Promise<SearchResult> {
    const { kbId, signal } = query;
    return this.searches.run(await this.tenants.of(kbId), signal, async (waitedMs) => {
      describeWait(waitedMs);
      try {
        return await this.reads.latest((manager) => {
          const isCancelled = () => signal?.aborted === true;
          const deadline = new SearchDeadline(this.searchTimeoutMs, isCancelled, {
            servesRequests: true,
          });
          return SearchConnection.use(manager, deadline, signal, (connection) =>
            searchPassages(new PostgresIndexReader(connection, kbId), query, deadline),
          );
        });
      } catch (error) {
        if (error instanceof SearchInterruptedError) signal?.throwIfAborted();
        throw error;
      }
    });
  }

  private async writeInTurn<T>(task: WriteTask, request: { readonly kbId: string }): Promise<T> {
    const tenant = await this.tenants.of(request.kbId);
    return this.writes.run(tenant, undefined, () => this.write<T>(task, request));
  }

  /**
   * Writes in the thread. While earlier commits wait for a standby, none is begun: it would wait too,
   * and keep its connection on the server.
   */
  private async write<T>(task: WriteTask, request: object): Promise<T> {
    await this.waitingCommits.requireNone();
    try {
      return resultOf((await this.writer.run(request, { name: task })) as WorkerAnswer<T>);
    } catch (error) {
      throw this.waitingCommits.noteIfUnanswered(error) ? new CommitsWaitError() : error;
    }
  }
}
