// What each supported Node.js takes to install, start and run the service, and to test it: each out
// of its package, first in the PATH, in a fresh copy of the tracked files. BENCH_NODE_VERSIONS=24 tries
// that one alone, BENCH_SUITE=no leaves out the tests, which take most of the time.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../test/support/postgres.mjs';
import { median, report, round, scratchDirectory } from './support.mjs';

const VERSIONS = (process.env['BENCH_NODE_VERSIONS'] ?? '22.14.0,24,26').split(',');
const WITH_SUITE = process.env['BENCH_SUITE'] !== 'no';
const STARTS = 5;
const AT_REST_MS = 5000;

export default async function nodeVersions() {
  const rows = [];
  for (const version of VERSIONS) {
    const bin = install(version);
    const environment = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
    const copy = scratchDirectory();
    run('bash', ['-c', `git ls-files -z | xargs -0 cp --parents -t ${copy}`], {});
    const installed = timed('npm ci', copy, environment);
    run('npm', ['run', 'build'], { cwd: copy, env: environment });
    const node = join(bin, 'node');
    const started = await measureStarts(node, copy);
    const suite = WITH_SUITE && timed('npm test', copy, { ...environment, LATCHKEY_NODE: node });
    rows.push({
      'Node.js': run(node, ['--version'], {}).trim(),
      'npm ci, CPU s': round(installed.cpuSeconds),
      'ready after s': round(started.readySeconds),
      'resident MiB at rest': round(started.residentMib, 0),
      ...(suite && { 'npm test, min': round(suite.wallSeconds / 60), passed: suite.passed }),
    });
  }
  report('node-versions', {
    notes: [
      `ready: median of ${STARTS} starts of a built tree on an up-to-date, empty SQLite database, until /health/ready answers`,
      `resident ${AT_REST_MS / 1000} s after a start`,
    ],
    tables: { 'Versions of Node.js': rows },
  });
}

/**
 * @param {string} version
 * @returns {string} the folder with its `node`
 */
function install(version) {
  const folder = scratchDirectory();
  const name = `node-${process.platform}-${process.arch}`;
  run('npm', ['install', '--silent', '--prefix', folder, `${name}@${version}`], {});
  return join(folder, 'node_modules', name, 'bin');
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} options
 */
function run(program, args, options) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  return String(stdout);
}

/**
 * @param {string} command
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 */
function timed(command, cwd, env) {
  const script = `TIMEFORMAT='times %R %U %S'; time ${command} 2>&1`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const [, wall, user, system] = (/times (\S+) (\S+) (\S+)/.exec(stderr) ?? []).map(Number);
  const passed = [...stdout.matchAll(/^Tests: +(.*)$/gm)].map(([, counts]) => counts).join('; ');
  return { wallSeconds: Number(wall), cpuSeconds: Number(user) + Number(system), passed };
}

/**
 * @param {string} node
 * @param {string} cwd
 */
async function measureStarts(node, cwd) {
  const directory = scratchDirectory();
  const seconds = [];
  let residentMib = 0;
  for (let turn = 0; turn <= STARTS; turn++) {
    const port = await freePort();
    const { scripts } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
    const [, ...args] = scripts.start.split(' ');
    const began = performance.now();
    const child = spawn(node, args, {
      cwd,
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: directory,
        LOG_LEVEL: 'error',
        PORT: String(port),
      },
      stdio: 'ignore',
    });
    const url = `http://127.0.0.1:${port}/health/ready`;
    while (!(await globalThis.fetch(url).catch(() => undefined))?.ok) await pause(10);
    // The first one makes the database.
    if (turn > 0) seconds.push((performance.now() - began) / 1000);
    if (turn === STARTS) {
      await pause(AT_REST_MS);
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      residentMib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    }
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  return { readySeconds: median(seconds), residentMib };
}
