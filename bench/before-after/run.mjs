// Compares two built trees of the service in one run, in alternation, by processor time:
//   node bench/before-after/run.mjs <folder before> <folder after>
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createDatabase, startPostgres } from '../../test/support/postgres.mjs';
import { cpuSeconds, median } from '../support.mjs';

const ROUNDS = Number(process.env['ROUNDS'] ?? 7);
/** What a tree does in a round, and how often. */
const TASKS = { auth: 3_000, small: 100, large: 30, questions: 80 };

/** @typedef {keyof typeof TASKS} Task */
/** @typedef {{ ask: (message: object) => Promise<any>, cpu: () => number }} Tree */

const folders = process.argv.slice(2).map((folder) => resolve(folder));
const { url, server, directory } = await startPostgres();
const serverPid = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
try {
  for (const engine of ['SQLite', 'PostgreSQL']) {
    const trees = await Promise.all(folders.map((folder) => start(folder, engine)));
    for (const task of /** @type {Task[]} */ (Object.keys(TASKS))) {
      // The guard's benchmark has a database of its own, which is SQLite's.
      if (task === 'auth' && engine === 'PostgreSQL') continue;
      await compare(engine, task, trees);
    }
    for (const tree of trees) await tree.ask({ task: 'stop' });
  }
} finally {
  await server.stop();
}

/**
 * @param {string} folder
 * @param {string} engine
 * @returns {Promise<Tree>}
 */
async function start(folder, engine) {
  const child = fork(new URL('tree.mjs', import.meta.url), { cwd: folder });
  const ask = (/** @type {object} */ message) =>
    new Promise((answer, fail) => {
      child.once('message', answer);
      child.once('exit', () => fail(new Error(`${folder} ended`)));
      child.send(message);
    });
  const isPostgres = engine === 'PostgreSQL';
  const { pid } = /** @type {{ pid: number }} */ (
    await ask({ task: 'start', ...(isPostgres && { DATABASE_URL: await createDatabase(url) }) })
  );
  return { ask, cpu: () => cpuSeconds(pid) + (isPostgres ? cpuSeconds(serverPid) : 0) };
}

/**
 * @param {string} engine
 * @param {Task} task
 * @param {Tree[]} trees
 */
async function compare(engine, task, trees) {
  const count = TASKS[task];
  const costs = trees.map(() => /** @type {number[]} */ ([]));
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [n, { ask, cpu }] of trees.entries()) {
      const began = cpu();
      const { cpuMs } = await ask({ task, count, round });
      if (round > 0) costs[n]?.push((cpuMs ?? 1000 * (cpu() - began)) / count);
    }
  }
  const [before = NaN, after = NaN] = costs.map(median);
  console.log(
    `${engine}, ${task}: ${before.toFixed(3)} → ${after.toFixed(3)} ms of CPU each, ${(before / after).toFixed(2)}`,
    costs.map((each) => each.map((value) => value.toFixed(2)).join(' ')),
  );
}
