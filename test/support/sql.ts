import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Client } from 'pg';
import { engine } from './test-database.js';

/** SQL for a moment by the database's clock, as the service's columns hold it. */
export const databaseTime = (offsetMs = 0): string =>
  engine === 'postgres'
    ? `date_trunc('milliseconds', clock_timestamp()) + interval '${offsetMs} milliseconds'`
    : `strftime('%Y-%m-%d %H:%M:%f', 'now', '${(offsetMs / 1000).toFixed(3)} seconds')`;

/** Runs one statement, beside the service, on the database that a service's environment names. */
export async function sql<Row extends object>(
  environment: NodeJS.ProcessEnv,
  statement: string,
): Promise<Row[]> {
  const url = environment['DATABASE_URL'];
  if (url === undefined) {
    const database = await open(environment);
    try {
      const prepared = database.prepare<[], Row>(statement);
      if (prepared.reader) return prepared.all();
      prepared.run();
      return [];
    } finally {
      database.close();
    }
  }
  const client = await connect(url);
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Runs one statement in a transaction that stays open, so that whoever else writes the same waits.
 *
 * @returns what commits it
 */
export async function hold(
  environment: NodeJS.ProcessEnv,
  statement: string,
): Promise<() => Promise<void>> {
  const url = environment['DATABASE_URL'];
  if (url === undefined) {
    const database = await open(environment);
    database.exec(`BEGIN IMMEDIATE; ${statement}`);
    return () => {
      database.exec('COMMIT');
      database.close();
      return Promise.resolve();
    };
  }
  const client = await connect(url);
  await client.query(`BEGIN; ${statement}`);
  return async () => {
    await client.query('COMMIT');
    await client.end();
  };
}

// A driver costs as much as a small test file: the other engine's is not loaded.
async function open(environment: NodeJS.ProcessEnv): Promise<Database> {
  const { default: BetterSqlite } = await import('better-sqlite3');
  return new BetterSqlite(join(String(environment['DATA_DIR']), 'latchkey.sqlite'));
}

async function connect(url: string): Promise<Client> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
