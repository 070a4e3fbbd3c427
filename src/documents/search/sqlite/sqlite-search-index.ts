import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { sqliteFile } from '../../../platform/database/data-source-options.js';
import { type Cancellable, runCancellable } from '../../../platform/jobs/cancellation.js';
import { unwrapResult, type WorkerAnswer } from '../../../platform/jobs/worker-answer.js';
import { QUESTION_START_WAIT_MS, WorkerPool } from '../../../platform/jobs/worker-pool.js';
import { FairLimiter, QUESTION_LIMITS } from '../../../knowledge-bases/fair-limiter.js';
import { FairShareLookup } from '../../../knowledge-bases/fair-share-lookup.js';
import { describeWait } from '../describe-wait.js';
import type { SearchEngineSource } from '../engine/search-engine.js';
import type { SearchQuery, SearchResult } from '@latchkey/ranking/search-index';
import type { IndexTask } from '../index-tasks.js';
import { ThreadWrittenIndex } from '../thread-written-index.js';
import { IndexCorruptError } from './index-corrupt-error.js';
import type { IndexFiles } from './index-files.js';
import type { Repaired, RepairRequest } from './repair-index.js';
import type { SearchRequest } from './sqlite-search.worker.js';

/** The time that a search waits for a rebuild before it uses the unfinished index. */
const MAX_REBUILD_WAIT_MS = 10_000;
const REPAIR_RETRY_MS = 60_000;
/** The number of search threads; FairLimiter divides them among users. */
const SEARCH_THREADS = Math.min(4, Math.max(2, availableParallelism()));
const NOTHING: SearchResult = { passages: [], partial: false, terms: [] };

/** Searches index files in worker threads: SQLite is synchronous and would block the event loop. */
@Injectable()
export class SqliteSearchIndex extends ThreadWrittenIndex {
  private readonly logger = new Logger(SqliteSearchIndex.name);
  /** The search threads; they never end, because they keep indexes open. */
  private readonly searchers: WorkerPool;
  private readonly searches = new FairLimiter(SEARCH_THREADS, QUESTION_LIMITS);
  private readonly searchTimeoutMs: number;
  /** Running repairs by knowledge base, each resolving to whether the knowledge base exists. */
  private readonly repairs = new Map<string, Promise<boolean>>();
  /** Knowledge bases whose index this process has repaired, or is repairing. */
  private readonly repaired = new Set<string>();
  private stopping = false;

  constructor(
    config: Config,
    fairShares: FairShareLookup,
    engineSource: SearchEngineSource | undefined,
  ) {
    const workerData: IndexFiles = {
      directory: join(config.DATA_DIR, 'search'),
      database: sqliteFile(config),
      engineSource,
    };
    super(fairShares, new URL('./sqlite-index.worker.js', import.meta.url), workerData);
    this.searchTimeoutMs = config.SEARCH_TIMEOUT_MS;
    this.searchers = new WorkerPool(new URL('./sqlite-search.worker.js', import.meta.url), {
      workerData,
      maxThreads: SEARCH_THREADS,
      idleTimeout: Infinity,
      maxStartWaitMs: QUESTION_START_WAIT_MS,
      part: 'Search',
    });
  }

  override async drop(kbId: string): Promise<void> {
    await this.write('drop', { kbId });
    this.repaired.delete(kbId);
  }

  override async search({ signal, ...query }: SearchQuery): Promise<SearchResult> {
    const { kbId } = query;
    const fairShare = await this.fairShares.findFairShare(kbId);
    const found = await this.onIndex(
      kbId,
      (allowRebuilding) =>
        this.searches.run(fairShare, signal, (waitedMs) => {
          describeWait(waitedMs);
          return this.searchInThread(query, allowRebuilding, signal);
        }),
      MAX_REBUILD_WAIT_MS,
    );
    this.repairOnce(kbId);
    return found ?? NOTHING;
  }

  /** @throws the signal's reason, once the thread has stopped searching */
  private searchInThread(
    query: SearchRequest['query'],
    allowRebuilding: boolean,
    signal: AbortSignal | undefined,
  ): Promise<SearchResult> {
    const timeoutMs = this.searchTimeoutMs;
    return runCancellable(signal, (cancelled) => {
      const request: Cancellable<SearchRequest> = { query, allowRebuilding, timeoutMs, cancelled };
      return this.searchers
        .run(request)
        .then((answer) => unwrapResult(answer as WorkerAnswer<SearchResult>));
    });
  }

  override async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.all([this.searchers.destroy(), super.onApplicationShutdown()]);
  }

  protected override change<T>(task: IndexTask, request: { readonly kbId: string }) {
    return this.onIndex(request.kbId, () => this.write<T>(task, request));
  }

  /**
   * Runs `work`. If the index is corrupt, repairs it and runs `work` again; if that takes longer than
   * `maxWaitMs`, `work` runs on the unfinished index.
   *
   * @returns undefined for a deleted knowledge base
   */
  private async onIndex<T>(
    kbId: string,
    work: (allowRebuilding: boolean) => Promise<T>,
    maxWaitMs?: number,
  ): Promise<T | undefined> {
    try {
      return await work(false);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
    }
    const repair = this.repair(kbId);
    const timeout = maxWaitMs && pause(maxWaitMs, true, { ref: false });
    if (!(await Promise.race(timeout ? [repair, timeout] : [repair]))) return undefined;
    try {
      return await work(true);
    } catch (error) {
      // The rebuild may not have begun within `maxWaitMs`, so wait for its end.
      if (!isCorrupt(error)) throw error;
      return (await this.repair(kbId)) ? work(true) : undefined;
    }
  }

  /** Restores what an index lost in a power failure, once per process. */
  private repairOnce(kbId: string): void {
    if (this.repaired.has(kbId)) return;
    this.repair(kbId).catch((error: unknown) => {
      if (this.stopping) return;
      this.logger.warn(error);
      setTimeout(() => this.repaired.delete(kbId), REPAIR_RETRY_MS).unref();
    });
  }

  /** @returns whether the knowledge base exists */
  private repair(kbId: string): Promise<boolean> {
    const running = this.repairs.get(kbId);
    if (running) return running;
    this.repaired.add(kbId);
    const repair = this.repairAll(kbId).finally(() => this.repairs.delete(kbId));
    this.repairs.set(kbId, repair);
    return repair;
  }

  private async repairAll(kbId: string): Promise<boolean> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const request: RepairRequest = { kbId, after };
      const repaired: Repaired | null = await this.write<Repaired | null>('repair', request);
      if (!repaired) {
        this.repaired.delete(kbId);
        return false;
      }
      for (const { number, reason } of repaired.failed) {
        this.logger.error(
          `Passage ${number} of ${kbId} cannot be indexed and is not found: ${reason}`,
        );
      }
      after = repaired.next;
    }
    return true;
  }
}

const isCorrupt = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === IndexCorruptError.code;
