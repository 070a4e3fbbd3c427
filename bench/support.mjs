import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { freePort } from '../test/support/postgres.mjs';
import { nowDoing } from './fixtures/progress.mjs';
import { quantile } from './fixtures/quantile.mjs';

export { quantile };

/** What every benchmark needs: the service as a process, a load, and figures. */

/**
 * @typedef {object} Service
 * @property {string} url
 * @property {number} pid
 * @property {NodeJS.ProcessEnv} environment
 * @property {(method: string, path: string, body?: unknown) => Promise<any>} call below /api/v1, as
 *   a dashboard user; gives the body, throws on an error
 * @property {() => Promise<void>} stop
 */

/** Of PostgreSQL: a busy machine makes the figures worse, not the benchmark fail. */
export const LONG_TIMEOUTS = {
  DATABASE_ACQUIRE_TIMEOUT_MS: '20000',
  DATABASE_STATEMENT_TIMEOUT_MS: '20000',
};

/** @type {string[]} */
const directories = [];
process.on('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** @returns {string} a new directory, removed at the end */
export function scratchDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
  directories.push(directory);
  return directory;
}

/**
 * Starts the built service and waits until it is ready.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} directory where it is built and installed
 * @returns {Promise<Service>}
 */
export async function startService(environment = {}, directory = '.') {
  nowDoing('starting the service');
  const port = await freePort();
  const own = { DATA_DIR: scratchDirectory(), LOG_LEVEL: 'error', ...environment };
  const child = spawn(process.execPath, ['--max-semi-space-size=4', 'dist/service/main.js'], {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...own, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error('The service did not start');
    const response = await globalThis.fetch(`${url}/health/ready`).catch(() => undefined);
    if (response?.ok) break;
    await pause(50);
  }
  return {
    url,
    pid: Number(child.pid),
    environment: own,
    call: (method, path, body) => call(url, method, path, body),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

/**
 * @param {string} url
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 */
async function call(url, method, path, body) {
  nowDoing(`${method} ${path.replace(/[^/?]*_[^/?]*/g, '…').replace(/\?.*/, '')}`);
  const isForm = body instanceof globalThis.FormData;
  const response = await globalThis.fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      'x-idp-user-id': 'bench',
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/**
 * CPU time that a process and its children, also those that have ended, have used so far.
 *
 * @param {number} pid
 * @returns {number} seconds
 */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Behind the name, which may hold spaces: utime, stime, cutime, cstime in ticks of 10 ms.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const file = `/proc/${pid}/task/${task}/children`;
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean) : [];
  });
  return children.reduce((sum, child) => sum + ofChild(Number(child)), own);
}

/** @param {number} pid */
function ofChild(pid) {
  try {
    return cpuSeconds(pid);
  } catch (error) {
    // It has ended since its parent named it, and its time counts there.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

/**
 * Sends the bodies in turn, as fast as they are answered; throws unless all are answered 200.
 *
 * @param {{ url: string, path: string, bodies: unknown[], connections: number, seconds: number }} load
 * @returns {Promise<{ requests: number, perSecond: number }>}
 */
export async function fire({ url, path, bodies, connections, seconds }) {
  nowDoing(`asking ${path} over ${connections} connections`);
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: bodies.map((body) => ({
      method: 'POST',
      path: `/api/v1${path}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })),
  });
  const { non2xx, errors, duration } = result;
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors under load`);
  return { requests: result['2xx'], perSecond: result['2xx'] / duration };
}

/** @param {number[]} values */
export const median = (values) => quantile(values, 0.5);

/**
 * @param {number} value
 * @param {number} digits behind the point
 */
export const round = (value, digits = 2) => Number(value.toFixed(digits));

/**
 * Prints rows of the same keys as a table, and keeps them with where they were measured.
 *
 * @param {string} name
 * @param {{ notes: string[], tables: Record<string, Record<string, string | number>[]> }} result
 */
export function report(name, { notes, tables }) {
  for (const [title, rows] of Object.entries(tables)) {
    console.log(`\n${title}`);
    console.table(rows);
  }
  for (const note of notes) console.log(`- ${note}`);
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`;
  const machine = { processor, node: process.version, at: new Date().toISOString() };
  const directory = new URL('./results/', import.meta.url);
  mkdirSync(directory, { recursive: true });
  const file = new URL(`${name}.json`, directory);
  writeFileSync(file, `${JSON.stringify({ machine, notes, tables }, null, 2)}\n`);
}
