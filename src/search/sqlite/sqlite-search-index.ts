import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Config } from '../../config/config.js';
import { sqliteFile } from '../../database/data-source-options.js';
import { DocumentVersion, SearchIndex, SearchQuery, SearchResult } from '../search-index.js';
import { SearchQueue } from '../search-queue.js';
import type { AddRequest } from './index-content.js';
import type { IndexFiles } from './index-files.js';
import type { SearchRequest } from './sqlite-search.worker.js';
import { IndexCorruptError } from './index-corrupt-error.js';
import type { WorkerAnswer } from './serialize-errors.js';

/** Chunks that are removed at once, so that nothing waits long for its turn. */
const REMOVE_BATCH = 100;
/** How long a question waits for an index that is made anew; then it goes by what is there. */
const MAX_WAIT_MS = 10_000;
const REPAIR_RETRY_MS = 60_000;
/** How long the thread that indexes waits for more. */
const WRITER_IDLE_MS = 60_000;

/**
 * Threads that search, and so searches at once. One of them is never taken by the questions of a
 * single knowledge base: see SearchQueue.
 */
const SEARCH_THREADS = Math.min(4, Math.max(2, availableParallelism()));
const NOTHING: SearchResult = { passages: [], partial: false };

/** FTS5 in worker threads: SQLite answers synchronously and would hold up every other request. */
@Injectable()
export class SqliteSearchIndex extends SearchIndex implements OnApplicationShutdown {
  private readonly logger = new Logger(SqliteSearchIndex.name);
  private readonly searchers: Piscina;
  private readonly queue = new SearchQueue(SEARCH_THREADS);
  private readonly searchTimeoutMs: number;
  /** Of its own, so that no question waits behind what is indexed. */
  private readonly writer: Piscina;
  private readonly repairs = new Map<string, Promise<boolean>>();
  /** Knowledge bases whose index was repaired, or is being. */
  private readonly repaired = new Set<string>();
  private stopping = false;

  constructor(config: Config) {
    super();
    this.searchTimeoutMs = config.searchTimeoutMs;
    const workerData: IndexFiles = {
      directory: join(config.dataDir, 'search'),
      database: sqliteFile(config),
      hasVectors: config.embeddings !== undefined,
    };
    // Begun with the first question, then kept, with the indexes they have open.
    this.searchers = new Piscina({
      filename: new URL('./sqlite-search.worker.js', import.meta.url).href,
      workerData,
      minThreads: 0,
      maxThreads: SEARCH_THREADS,
      idleTimeout: Infinity,
    });
    this.writer = new Piscina({
      filename: new URL('./sqlite-index.worker.js', import.meta.url).href,
      workerData,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: WRITER_IDLE_MS,
    });
    // A thread that cannot begin is begun again with the next request. An `error` event without a
    // listener is thrown and would end the process.
    for (const workers of [this.searchers, this.writer]) {
      workers.on('error', (error) => {
        this.logger.error(error);
      });
    }
  }

  override async add(kbId: string, versions: readonly DocumentVersion[]): Promise<void> {
    for (let left: AddRequest | undefined = { kbId, versions, after: -1 }; left;) {
      const request: AddRequest = left;
      left = await this.onIndex(kbId, () => this.write<AddRequest | undefined>('add', request));
    }
  }

  override async remove(kbId: string, chunkNumbers: number[]): Promise<void> {
    for (let start = 0; start < chunkNumbers.length; start += REMOVE_BATCH) {
      const request = { kbId, chunkNumbers: chunkNumbers.slice(start, start + REMOVE_BATCH) };
      await this.onIndex(kbId, () => this.write('remove', request));
    }
  }

  override async drop(kbId: string): Promise<void> {
    await this.write('drop', { kbId });
    this.repaired.delete(kbId);
  }

  override async search({ signal, ...query }: SearchQuery): Promise<SearchResult> {
    const { kbId } = query;
    const found = await this.onIndex(
      kbId,
      (unfinished) =>
        this.queue.run(kbId, signal, () => this.searchInThread(query, unfinished, signal)),
      MAX_WAIT_MS,
    );
    this.repairOnce(kbId);
    return found ?? NOTHING;
  }

  /** @throws the reason of the signal, when the thread has noticed it */
  private async searchInThread(
    query: SearchRequest['query'],
    unfinished: boolean,
    signal: AbortSignal | undefined,
  ): Promise<SearchResult> {
    const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const cancel = () => Atomics.store(cancelled, 0, 1);
    signal?.addEventListener('abort', cancel);
    const timeoutMs = this.searchTimeoutMs;
    const request: SearchRequest = { query, unfinished, timeoutMs, cancelled };
    try {
      const result = await this.run<SearchResult>(this.searchers, request);
      signal?.throwIfAborted();
      return result;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.all([this.searchers.destroy(), this.writer.destroy()]);
  }

  /**
   * Does `work`, on an index that is repaired first where need be.
   *
   * @returns undefined where the knowledge base is deleted
   */
  private async onIndex<T>(
    kbId: string,
    work: (unfinished: boolean) => Promise<T>,
    maxWaitMs?: number,
  ): Promise<T | undefined> {
    try {
      return await work(false);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
    }
    const repair = this.repair(kbId);
    const wait = maxWaitMs && pause(maxWaitMs, true, { ref: false });
    if (!(await Promise.race(wait ? [repair, wait] : [repair]))) return undefined;
    try {
      return await work(true);
    } catch (error) {
      // There is not even the beginning of it yet.
      if (!isCorrupt(error)) throw error;
      return (await this.repair(kbId)) ? work(true) : undefined;
    }
  }

  /** What a loss of power has taken from an index is put back once in a process's life. */
  private repairOnce(kbId: string): void {
    if (this.repaired.has(kbId)) return;
    this.repair(kbId).catch((error: unknown) => {
      if (this.stopping) return;
      this.logger.warn(error);
      setTimeout(() => this.repaired.delete(kbId), REPAIR_RETRY_MS).unref();
    });
  }

  /** @returns whether there is such a knowledge base */
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
      const next: number | undefined | null = await this.write('repair', { kbId, after });
      if (next === null) {
        this.repaired.delete(kbId);
        return false;
      }
      after = next;
    }
    return true;
  }

  private write<T>(name: 'add' | 'remove' | 'drop' | 'repair', request: object): Promise<T> {
    return this.run(this.writer, request, name);
  }

  private async run<T>(workers: Piscina, request: object, name = 'default'): Promise<T> {
    const answer = (await workers.run(request, { name })) as WorkerAnswer<T>;
    if ('result' in answer) return answer.result;
    throw Object.assign(new Error(answer.message), { code: answer.code });
  }
}

const isCorrupt = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === IndexCorruptError.code;
