import {
  BeforeApplicationShutdown,
  Injectable,
  OnApplicationBootstrap,
  OnApplicationShutdown,
} from '@nestjs/common';
import { Mutex } from 'async-mutex';
import { EntityManager } from 'typeorm';
import { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { WorkerPool } from '../../jobs/worker-pool.js';
import type { AnalysedPassage, PassageText } from '../analyse-passage.js';
import { SearchDeadline, SearchInterruptedError } from '../search-deadline.js';
import { DocumentVersion, SearchIndex, SearchQuery, SearchResult } from '../search-index.js';
import { searchPassages } from '../search-passages.js';
import { SearchQueue } from '../search-queue.js';
import { addChunks, removeChunks } from './index-writer.js';
import { PostgresIndexReader } from './postgres-index-reader.js';
import { GIVEN_CHUNKS } from './read-statements.js';
import { Reindexing } from './reindexing.js';
import { SearchConnection } from './search-connection.js';

/** Chunks, and rows of a dropped index, in one transaction, so that other writes do not wait long. */
const BATCH = 50;
const DROP_BATCH = 5000;
/** Searches of one process at once. With more, each would only take longer. */
const MAX_SEARCHES = 4;
const ANALYSER_IDLE_MS = 10_000;

/**
 * BM25 over blocks of postings. PostgreSQL's own ranking functions use no document frequencies and
 * rank clearly worse.
 */
@Injectable()
export class PostgresSearchIndex
  extends SearchIndex
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly analysers = new WorkerPool<PassageText[], AnalysedPassage[]>(
    new URL('./analyse-passages.worker.js', import.meta.url),
    { maxThreads: 1, idleTimeout: ANALYSER_IDLE_MS },
  );
  /**
   * One batch at a time: while large documents were indexed, the 99th percentile of another user's
   * questions fell by a third.
   */
  private readonly writing = new Mutex();
  private readonly queue: SearchQueue;
  private readonly reindexing: Reindexing;

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly searchTimeoutMs: number,
    connections: number,
  ) {
    super();
    // The other connections are left to everything else, such as the check of each API key.
    const searches = Math.min(MAX_SEARCHES, Math.max(1, Math.floor(connections / 2)));
    this.queue = new SearchQueue(searches);
    this.reindexing = new Reindexing(unitOfWork, this.analysers);
  }

  onApplicationBootstrap(): void {
    this.reindexing.onApplicationBootstrap();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.reindexing.beforeApplicationShutdown();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.analysers.destroy();
  }

  override async add(kbId: string, versions: readonly DocumentVersion[]): Promise<void> {
    for (let last: number | undefined = 0; last !== undefined;) {
      const after: number = last;
      last = await this.addBatch(kbId, versions, after);
    }
  }

  override async remove(kbId: string, chunkNumbers: number[]): Promise<void> {
    for (let start = 0; start < chunkNumbers.length; start += BATCH) {
      const numbers = chunkNumbers.slice(start, start + BATCH);
      await this.unitOfWork.run((manager) => removeChunks(manager, kbId, numbers));
    }
  }

  override async drop(kbId: string): Promise<void> {
    const tables = [
      'search_blocks',
      'search_postings',
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

  override search(query: SearchQuery): Promise<SearchResult> {
    const { kbId, signal } = query;
    return this.queue.run(kbId, signal, async () => {
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

  /** @returns the number of the last chunk that was added; undefined when all are */
  private async addBatch(
    kbId: string,
    versions: readonly DocumentVersion[],
    after: number,
  ): Promise<number | undefined> {
    const passages = await this.unitOfWork.run((manager) => findPassages(manager, versions, after));
    const languages = new Map(versions.map(({ documentId, language }) => [documentId, language]));
    const described = passages.map(({ documentId, ...passage }) => {
      const language = languages.get(documentId);
      return language === undefined ? passage : { ...passage, language };
    });
    if (described.length > 0) {
      // Between the transactions: it may wait for the thread, with neither a connection nor a lock.
      const analysed = await this.analysers.run(described);
      await this.writing.runExclusive(() => this.write(kbId, analysed));
    }
    return passages.length < BATCH ? undefined : passages.at(-1)?.number;
  }

  private write(kbId: string, analysed: readonly AnalysedPassage[]): Promise<void> {
    return this.unitOfWork.run(async (manager) => {
      const present = await lockPresent(manager, analysed);
      const added = analysed.filter(({ number }) => present.has(number));
      if (added.length > 0) await addChunks(manager, kbId, added);
    });
  }
}

const findPassages = (
  manager: EntityManager,
  versions: readonly DocumentVersion[],
  after: number,
) =>
  manager.query<(PassageText & { documentId: string })[]>(
    `SELECT c.number, d.id AS "documentId", d.title, d.language, c.heading, c.text
     FROM unnest($1::text[], $2::integer[]) AS v (document_id, version)
     JOIN chunks c ON c.document_id = v.document_id AND c.version = v.version
     JOIN documents d ON d.id = c.document_id AND d.state = 'active'
     WHERE c.number > $3
       AND NOT EXISTS (SELECT FROM search_chunks s WHERE s.chunk_number = c.number)
     ORDER BY c.number LIMIT ${BATCH}`,
    [versions.map(({ documentId }) => documentId), versions.map(({ version }) => version), after],
  );

/** The numbers of those whose document is not deleted, nor will be before the transaction ends. */
async function lockPresent(
  manager: EntityManager,
  passages: readonly AnalysedPassage[],
): Promise<Set<number>> {
  const rows = await manager.query<{ number: number }[]>(
    `${GIVEN_CHUNKS}
     SELECT c.number FROM c JOIN documents d ON d.id = c.document_id AND d.state = 'active'
     WHERE NOT EXISTS (SELECT FROM search_chunks s WHERE s.chunk_number = c.number)
     FOR SHARE OF d`,
    [passages.map(({ number }) => number)],
  );
  return new Set(rows.map(({ number }) => number));
}
