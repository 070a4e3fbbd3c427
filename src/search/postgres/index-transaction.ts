import { workerData } from 'node:worker_threads';
import pg from 'pg';
import type { PostgresConfig } from '../../config/config.js';
import { isRetryable } from '../../database/database-error.js';
import { APPLICATION_NAME, connectionOptions } from '../../database/postgres-connection.js';

/** Runs statements of a transaction, as TypeORM's EntityManager does. */
export interface Statements {
  query<Rows extends readonly object[]>(sql: string, parameters?: unknown[]): Promise<Rows>;
}

const ATTEMPTS = 3;

// Chunk numbers stay below 2^53.
pg.defaults.parseInt8 = true;
const config = workerData as PostgresConfig;
/** One connection, since the thread writes one batch at a time. */
const pool = new pg.Pool({
  connectionString: config.url,
  application_name: APPLICATION_NAME,
  max: 1,
  connectionTimeoutMillis: config.acquireTimeoutMs,
  ...connectionOptions(config, 'write'),
});
// A lost connection emits `error`, which without a listener ends the thread. The next one is new.
pool.on('error', () => undefined);

/**
 * Runs `work` in one transaction of the thread's connection; again if it was rolled back for others.
 *
 * @throws the driver's error
 */
export async function inTransaction<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact(work);
    } catch (error) {
      if (!isRetryable(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function transact<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const onError = () => undefined;
  // The next statement fails anyway.
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await work({
      query: async <Rows>(sql: string, parameters?: unknown[]) =>
        (await client.query(sql, parameters)).rows as Rows,
    });
    await client.query('COMMIT');
    client.off('error', onError);
    client.release();
    return result;
  } catch (error) {
    // Closing it rolls back, also where the server does not answer.
    client.release(true);
    throw error;
  }
}
