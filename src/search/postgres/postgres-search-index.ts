import { setTimeout as pause } from 'node:timers/promises';
import {
  BeforeApplicationShutdown,
  Injectable,
  Logger,
  OnApplicationBootstrap,
  OnApplicationShutdown,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { Piscina } from 'piscina';
import { DataSource, EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { PassageText } from '../analysis.js';
import { SearchDeadline, SearchInterruptedError } from '../search-deadline.js';
import { DocumentVersion, SearchIndex, SearchQuery, SearchResult } from '../search-index.js';
import { searchPassages } from '../search-passages.js';
import { SearchQueue } from '../search-queue.js';
import { keysOfWord } from '../spelling.js';
import type { IndexedPassage } from './analysis.worker.js';
import { PostgresIndexReader } from './postgres-index-reader.js';
import { SearchConnection } from './search-connection.js';
import {
  ADD,
  ADD_SPELLINGS,
  ADD_WORDS,
  REMOVE,
  REMOVE_SPELLINGS,
  REMOVE_WORDS,
} from './statements.js';

/** Chunks in one transaction, so that each statement stays short. */
const BATCH = 50;
/** Postings, and words to correct to, in one statement, for the same reason. */
const STATEMENT_POSTINGS = 10_000;
const STATEMENT_WORDS = 2000;
const DROP_BATCH = 5000;
const RENEWAL_RETRY_MS = 10_000;
/** Searches of one process at once: more would take longer each, rather than be more. */
const MAX_SEARCHES = 4;

/**
 * BM25 over a table of postings. PostgreSQL's own ranking functions know no word statistics and
 * rank clearly worse.
 */
@Injectable()
export class PostgresSearchIndex
  extends SearchIndex
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger(PostgresSearchIndex.name);
  private readonly analysts = new Piscina<PassageText[], IndexedPassage[]>({
    filename: new URL('./analysis.worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 10_000,
  });
  private readonly queue: SearchQueue;
  private renewal: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly searchTimeoutMs: number,
    connections: number,
  ) {
    super();
    // The others are left to everything else, such as the check of each request's API key.
    const searches = Math.min(MAX_SEARCHES, Math.max(1, Math.floor(connections / 2)));
    this.queue = new SearchQueue(searches);
    // An `error` event without a listener is thrown and would end the process.
    this.analysts.on('error', (error) => {
      this.logger.error(error);
    });
  }

  onApplicationBootstrap(): void {
    this.renewal = this.renew();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.renewal;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.analysts.destroy();
  }

  override async add(kbId: string, versions: readonly DocumentVersion[]): Promise<void> {
    for (let last: number | undefined = 0; last !== undefined;) {
      const after: number = last;
      last = await this.unitOfWork.run((manager) => this.addBatch(manager, kbId, versions, after));
    }
  }

  override async remove(kbId: string, chunkNumbers: number[]): Promise<void> {
    for (let start = 0; start < chunkNumbers.length; start += BATCH) {
      const numbers = chunkNumbers.slice(start, start + BATCH);
      await this.unitOfWork.run((manager) => removeChunks(manager, kbId, numbers));
    }
  }

  override async drop(kbId: string): Promise<void> {
    const tables = ['search_postings', 'search_chunks', 'search_words', 'search_spellings'];
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
    const pool = (this.dataSource.driver as PostgresDriver).master as Pool;
    return this.queue.run(kbId, signal, async () => {
      const deadline = new SearchDeadline(this.searchTimeoutMs, () => signal?.aborted === true);
      try {
        return await SearchConnection.use(pool, deadline, signal, (connection) =>
          searchPassages(new PostgresIndexReader(connection, kbId), query, deadline),
        );
      } catch (error) {
        if (error instanceof SearchInterruptedError) signal?.throwIfAborted();
        throw error;
      }
    });
  }

  /** @returns the number of the last chunk that was added; undefined when all are */
  private async addBatch(
    manager: EntityManager,
    kbId: string,
    versions: readonly DocumentVersion[],
    after: number,
  ): Promise<number | undefined> {
    // Locks the documents, so that they are deleted before or after and not meanwhile.
    const passages = await manager.query<PassageText[]>(
      `SELECT c.number, d.title, c.heading, c.text
       FROM unnest($1::text[], $2::integer[]) AS v (document_id, version)
       JOIN chunks c ON c.document_id = v.document_id AND c.version = v.version
       JOIN documents d ON d.id = c.document_id AND d.state = 'active'
       WHERE c.number > $3
         AND NOT EXISTS (SELECT FROM search_chunks s WHERE s.chunk_number = c.number)
       ORDER BY c.number LIMIT ${BATCH} FOR SHARE OF d`,
      [versions.map(({ documentId }) => documentId), versions.map(({ version }) => version), after],
    );
    if (passages.length > 0) await addChunks(manager, kbId, await this.analysts.run(passages));
    return passages.length < BATCH ? undefined : passages.at(-1)?.number;
  }

  /** Takes in again, in the background, what an earlier version has: it serves until then. */
  private async renew(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        const renewed = await this.unitOfWork.run((manager) => this.renewBatch(manager));
        if (renewed === 0) return;
      } catch (error) {
        this.logger.error(error);
        await pause(RENEWAL_RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** @returns how many chunks were out of date */
  private async renewBatch(manager: EntityManager): Promise<number> {
    const [oldest] = await manager.query<{ kbId: string }[]>(
      `SELECT i.kb_id AS "kbId" FROM search_chunks s
       JOIN search_indexes i ON i.number = s.index_number WHERE s.codes IS NULL LIMIT 1`,
    );
    if (!oldest) return 0;
    const { kbId } = oldest;
    await lockIndex(manager, kbId);
    const old = await manager.query<{ number: number }[]>(
      `SELECT chunk_number AS number FROM search_chunks WHERE codes IS NULL AND index_number =
         (SELECT number FROM search_indexes WHERE kb_id = $1) LIMIT ${BATCH}`,
      [kbId],
    );
    const numbers = old.map(({ number }) => number);
    const passages = await manager.query<PassageText[]>(
      `SELECT c.number, d.title, c.heading, c.text
       FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.number = ANY ($1)`,
      [numbers],
    );
    const analyses = await this.analysts.run(passages);
    await removeChunks(manager, kbId, numbers);
    await addChunks(manager, kbId, analyses);
    return 1;
  }
}

/** Locks the index's row, so that its counts and its postings change together. */
const lockIndex = (manager: EntityManager, kbId: string): Promise<unknown> =>
  manager.query(
    `INSERT INTO search_indexes (kb_id) VALUES ($1)
     ON CONFLICT (kb_id) DO UPDATE SET chunks = search_indexes.chunks`,
    [kbId],
  );

async function addChunks(
  manager: EntityManager,
  kbId: string,
  chunks: readonly IndexedPassage[],
): Promise<void> {
  await lockIndex(manager, kbId);
  for (const slice of slicesOf(chunks)) await addPostings(manager, kbId, slice);
  const stems = [...new Map(chunks.flatMap(({ spellings }) => spellings))];
  for (let start = 0; start < stems.length; start += STATEMENT_WORDS) {
    const slice = stems.slice(start, start + STATEMENT_WORDS);
    const added = await manager.query<{ word: string }[]>(ADD_WORDS, [
      kbId,
      slice.map(([word]) => word),
      slice.map(([, stem]) => stem),
    ]);
    await manager.query(ADD_SPELLINGS, [kbId, ...keysAndWords(added)]);
  }
}

/** Those of one statement after the other, one at least. */
function* slicesOf(chunks: readonly IndexedPassage[]): Generator<IndexedPassage[]> {
  let slice: IndexedPassage[] = [];
  let length = 0;
  for (const chunk of chunks) {
    if (slice.length > 0 && length + chunk.terms.length > STATEMENT_POSTINGS) {
      yield slice;
      [slice, length] = [[], 0];
    }
    slice.push(chunk);
    length += chunk.terms.length;
  }
  if (slice.length > 0) yield slice;
}

async function addPostings(
  manager: EntityManager,
  kbId: string,
  chunks: readonly IndexedPassage[],
): Promise<void> {
  await manager.query(ADD, [
    chunks.map(({ number }) => number),
    chunks.map(({ tokens }) => tokens),
    chunks.map(({ fingerprint }) => Buffer.from(fingerprint)),
    chunks.flatMap(({ number, terms }) => terms.map(() => number)),
    chunks.flatMap(({ terms }) => terms),
    chunks.flatMap(({ frequencies }) => frequencies),
    kbId,
  ]);
}

async function removeChunks(
  manager: EntityManager,
  kbId: string,
  numbers: number[],
): Promise<void> {
  // Locked as by addChunks, and first.
  await manager.query('SELECT FROM search_indexes WHERE kb_id = $1 FOR UPDATE', [kbId]);
  const removed = await manager.query<{ term: string }[]>(REMOVE, [numbers, kbId]);
  for (let start = 0; start < removed.length; start += STATEMENT_WORDS) {
    const terms = removed.slice(start, start + STATEMENT_WORDS).map(({ term }) => term);
    const [words] = await manager.query<[{ word: string }[], number]>(REMOVE_WORDS, [kbId, terms]);
    if (words.length > 0) await manager.query(REMOVE_SPELLINGS, [kbId, ...keysAndWords(words)]);
  }
}

/** Two columns: a key, and the word that is kept under it. */
function keysAndWords(words: { word: string }[]): [keys: string[], words: string[]] {
  const rows = words.flatMap(({ word }) => keysOfWord(word).map((key) => ({ key, word })));
  return [rows.map(({ key }) => key), rows.map(({ word }) => word)];
}
