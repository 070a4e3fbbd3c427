import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
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
    const database = new Database(join(String(environment['DATA_DIR']), 'latchkey.sqlite'));
    try {
      const prepared = database.prepare<[], Row>(statement);
      if (prepared.reader) return prepared.all();
      prepared.run();
      return [];
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
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
    const database = new Database(join(String(environment['DATA_DIR']), 'latchkey.sqlite'));
    database.exec(`BEGIN IMMEDIATE; ${statement}`);
    return () => {
      database.exec('COMMIT');
      database.close();
      return Promise.resolve();
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`BEGIN; ${statement}`);
  return async () => {
    await client.query('COMMIT');
    await client.end();
  };
}
