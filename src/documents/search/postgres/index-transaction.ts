import { workerData } from 'node:worker_threads';
import pg from 'pg';
import type { PostgresConfig } from '../../../platform/config/config.js';
import {
  classifyDriverFailure,
  isUnanswered,
  UnansweredCommitError,
} from '../../../platform/database/driver-error.js';
import {
  APPLICATION_NAME,
  connectionOptions,
} from '../../../platform/database/postgres-connection.js';
import { IndexWriter } from '../index-writer.js';
import { loadSearchEngine, type SearchEngineSource } from '../engine/search-engine.js';
import { PostgresIndexStore } from './postgres-index-store.js';

const ATTEMPTS = 3;

export type PostgresIndexData = PostgresConfig & {
  /** The search engine; undefined if the database has the postings. */
  readonly engineSource: SearchEngineSource | undefined;
};

// Passage numbers stay below 2^53.
pg.defaults.parseInt8 = true;
const { engineSource, ...config } = workerData as PostgresIndexData;
export const engine = loadSearchEngine(engineSource);
/** A single connection, since the thread writes one batch at a time. */
const pool = new pg.Pool({
  connectionString: config.DATABASE_URL,
  application_name: APPLICATION_NAME,
  max: 1,
  connectionTimeoutMillis: config.DATABASE_ACQUIRE_TIMEOUT_MS,
  ...connectionOptions(config, 'write'),
});
// A lost connection emits `error`, which without a listener ends the thread. The pool removes it, and
// opens a new one for the next transaction.
pool.on('error', () => undefined);

/**
 * Writes an index in one transaction of the thread's connection; again after a deadlock or a serialization
 * failure.
 *
 * @throws UnansweredCommitError, StandbyError, or the driver's error
 */
export async function inTransaction<T>(
  kbId: string,
  work: (index: IndexWriter) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact((client) =>
        work(new IndexWriter(new PostgresIndexStore(client, kbId), engine !== undefined)),
      );
    } catch (error) {
      if (classifyDriverFailure(error) !== 'conflict' || attempt === ATTEMPTS) throw error;
    }
  }
}

async function transact<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // An `error` event without a listener ends the thread. A lost connection also fails the statement
  // that runs, or the next one.
  const onError = () => undefined;
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await commit(client);
    client.off('error', onError);
    client.release();
    return result;
  } catch (error) {
    // Closed instead of rolled back, since ROLLBACK may get no answer either.
    client.release(true);
    throw error;
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('COMMIT');
  } catch (error) {
    throw isUnanswered(error) ? new UnansweredCommitError() : error;
  }
}
