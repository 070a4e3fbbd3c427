import { Injectable } from '@nestjs/common';
import type { PostgresConfig } from '../../../platform/config/config.js';
import { CommitsWaitError } from '../../../platform/database/database-error.js';
import { Reads } from '../../../platform/database/reads.js';
import { WaitingCommits } from '../../../platform/database/topology/waiting-commits.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { FairLimiter, QUESTION_LIMITS } from '../../../knowledge-bases/fair-limiter.js';
import { FairShareLookup } from '../../../knowledge-bases/fair-share-lookup.js';
import { SearchDeadline, SearchInterruptedError } from '@latchkey/ranking/search-deadline';
import { describeWait } from '../describe-wait.js';
import type { SearchQuery, SearchResult } from '@latchkey/ranking/search-index';
import { searchPassages } from '@latchkey/ranking/search-passages';
import { StoredIndexReader } from '../index-reader.js';
import { BLOCKS, CHANGES, LANGUAGES, PASSAGES, SPELLINGS, WORDS } from '../index-store.js';
import type { IndexTask } from '../index-tasks.js';
import type { SearchEngine, SearchEngineSource } from '../engine/search-engine.js';
import { ThreadWrittenIndex } from '../thread-written-index.js';
import type { PostgresIndexData } from './index-transaction.js';
import { SearchConnection } from './search-connection.js';

/** The number of rows of a dropped index that one transaction removes. */
const DROP_BATCH = 5000;
/** The maximum number of concurrent searches per process. With more, each would only take longer. */
const MAX_SEARCHES = 4;

/**
 * BM25 over blocks of postings. PostgreSQL's own ranking functions use no document frequencies and
 * rank clearly worse.
 */
@Injectable()
export class PostgresSearchIndex extends ThreadWrittenIndex {
  private readonly searches: FairLimiter;

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly waitingCommits: WaitingCommits,
    fairShares: FairShareLookup,
    private readonly searchTimeoutMs: number,
    config: PostgresConfig,
    private readonly engine: SearchEngine | undefined,
    engineSource: SearchEngineSource | undefined,
  ) {
    const data: PostgresIndexData = { ...config, engineSource };
    super(fairShares, new URL('./postgres-index.worker.js', import.meta.url), data);
    // The remaining connections are for everything else, such as checking API keys.
    const searches = Math.min(MAX_SEARCHES, Math.max(1, Math.floor(config.DATABASE_POOL_SIZE / 2)));
    this.searches = new FairLimiter(searches, QUESTION_LIMITS);
  }

  override async drop(kbId: string): Promise<void> {
    await this.engine?.leave(kbId, 'shared');
    for (const { name: table } of [BLOCKS, PASSAGES, LANGUAGES, CHANGES, WORDS, SPELLINGS]) {
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
    return this.searches.run(
      await this.fairShares.findFairShare(kbId),
      signal,
      async (waitedMs) => {
        describeWait(waitedMs);
        try {
          return await this.reads.latest((manager) => {
            const isCancelled = () => signal?.aborted === true;
            const deadline = new SearchDeadline(this.searchTimeoutMs, isCancelled, {
              servesRequests: true,
            });
            return SearchConnection.use(manager, deadline, signal, (connection) =>
              searchPassages(
                new StoredIndexReader(
                  connection,
                  kbId,
                  query.scope,
                  this.engine?.createReader(kbId, deadline, signal),
                ),
                query,
                deadline,
              ),
            );
          });
        } catch (error) {
          if (!(error instanceof SearchInterruptedError)) throw error;
          signal?.throwIfAborted();
          return { passages: [], partial: true, terms: [] };
        }
      },
    );
  }

  protected override change<T>(task: IndexTask, request: { readonly kbId: string }) {
    return this.write<T>(task, request);
  }

  /**
   * While earlier commits wait for a standby, no new one begins: it would wait too, and occupy its
   * connection on the server.
   */
  protected override async runWriter<T>(task: string, request: object): Promise<T> {
    await this.waitingCommits.requireNone();
    try {
      return await super.runWriter<T>(task, request);
    } catch (error) {
      throw this.waitingCommits.noteIfUnanswered(error) ? new CommitsWaitError() : error;
    }
  }
}
