import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { runCancellable } from '../platform/jobs/cancellation.js';
import { unwrapResult, type WorkerAnswer } from '../platform/jobs/worker-answer.js';
import { QUESTION_START_WAIT_MS, WorkerPool } from '../platform/jobs/worker-pool.js';
import { FairQueue, QUESTION_LIMITS } from '../knowledge-bases/fair-queue.js';
import { TenantLookup } from '../knowledge-bases/tenant-lookup.js';
import type { FoundPassage, SearchResult } from '@latchkey/ranking/search-index';
import type { ThreadRequest } from './extractive.worker.js';
import {
  NOTHING_READ,
  type QuotablePassage,
  type Reading,
  type ReadingRequest,
} from '@latchkey/quoting/read-passages';

/** One user gets at most one of the threads; the second one starts if two users ask at once. */
const THREADS = 2;

/**
 * Reads the passages of a search in a worker thread, because a maliciously slow text takes about 100 ms.
 * Users are served in turns, as in searching.
 */
@Injectable()
export class PassageReader implements OnApplicationShutdown {
  private readonly threads = new WorkerPool<ThreadRequest, WorkerAnswer<Reading>>(
    new URL('./extractive.worker.js', import.meta.url),
    {
      maxThreads: THREADS,
      idleTimeout: Infinity,
      maxStartWaitMs: QUESTION_START_WAIT_MS,
      part: 'Search',
    },
  );
  private readonly queue = new FairQueue(THREADS, QUESTION_LIMITS);

  constructor(private readonly tenants: TenantLookup) {}

  /**
   * @param signal aborted when the client disconnects
   * @returns how relevant the passages are to the question, and the sentences that answer it
   * @throws Problem `knowledge_base_busy` when too many questions of the user or the knowledge base wait
   */
  async read(
    kbId: string,
    message: Pick<ReadingRequest, 'question' | 'asked' | 'context' | 'maxWords'>,
    { passages, original, terms }: SearchResult,
    signal: AbortSignal | undefined,
  ): Promise<Reading> {
    if (passages.length === 0) return NOTHING_READ;
    const request = {
      ...message,
      terms,
      passages: passages.map(toText),
      ...(original && { original: original.map(toText) }),
    };
    return this.queue.run(await this.tenants.findTenant(kbId), signal, () =>
      runCancellable(signal, async (cancelled) =>
        unwrapResult(await this.threads.run({ ...request, cancelled })),
      ),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.destroy();
  }
}

const toText = (passage: FoundPassage): QuotablePassage => ({
  text: passage.text,
  title: passage.documentTitle,
  document: passage.documentId,
  heading: passage.heading,
  language: passage.language,
  matched: passage.matched.map(({ word }) => word),
  cells: passage.cells,
  ...(passage.windows && { windows: passage.windows }),
  ...(passage.sentences && { sentences: passage.sentences }),
});
