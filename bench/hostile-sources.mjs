// What others notice while a source's server sends what is made to be slow to read: /health/live, and another tenant's questions.
import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { HOSTILE_SERVERS, startHostileServer } from '../test/support/hostile-source-servers.mjs';
import { cpuSeconds, quantile, report, round, startService } from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */

const DOCUMENTS = 100;
const IDLE_MS = 3000;
/** Of each server the middle one of these runs is told, by the wait of /health/live: others may work on the machine. */
const ROUNDS = Number(process.env['HOSTILE_ROUNDS'] ?? 3);
/** A run that takes longer is cancelled. */
const MAX_RUN_MS = 120_000;
const MAX_HEALTH_MS = 100;
const MAX_OF_IDLE = 2;

/**
 * `HOSTILE_SERVER` chooses servers by a part of their name; `HOSTILE_BUILD` is the folder of another build, whose
 * table `HOSTILE_TITLE` names.
 */
export default async function hostileSources() {
  const chosen = process.env['HOSTILE_SERVER'] ?? '';
  const rows = [];
  for (const hostile of HOSTILE_SERVERS) {
    if (!hostile.name.includes(chosen)) continue;
    console.log(`${hostile.name} …`);
    const row = await measure(hostile);
    console.log(JSON.stringify(row));
    rows.push(row);
  }
  report('hostile-sources', {
    notes: [
      `CPU and memory are those of the service with its child processes, and of the service's own process; health is the longest wait of /health/live, asked every 10 ms, at most ${MAX_HEALTH_MS} ms, and beside it that of the idle seconds before; questions are those of another tenant, their p95 at most ${MAX_OF_IDLE} times that of ${IDLE_MS / 1000} idle seconds before; a run is cancelled after ${MAX_RUN_MS / 1000} s`,
    ],
    tables: { [process.env['HOSTILE_TITLE'] ?? 'Beside seven servers']: rows },
  });
}

/** @param {import('../test/support/hostile-source-servers.mjs').HostileServer} hostile */
async function measure(hostile) {
  const server = await startHostileServer(hostile);
  const service = await startService(
    { EMBEDDINGS: 'off', SOURCE_ALLOW_PRIVATE: 'yes' },
    process.env['HOSTILE_BUILD'],
  );
  try {
    const ask = await asker(service);
    for (let n = 0; n < DOCUMENTS; n++) await ask();
    const idle = await watched(service, ask, () => pause(IDLE_MS));
    const { type, config, credentials } = hostile;
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { id: kbId } = await service.call('POST', '/kbs', { name: 'Hostile' });
      const source = await service.call('POST', `/kbs/${kbId}/sources`, {
        ...{ type, config: config(server.origin), name: type },
        ...(credentials && { credentials }),
      });
      rounds.push(await watched(service, ask, () => runOf(service, source.id)));
      await pause(1000);
    }
    rounds.sort((one, other) => one.healthMs - other.healthMs);
    const busy = rounds[Math.floor(rounds.length / 2)];
    if (!busy) throw new Error('There are no rounds');
    const { run } = busy;
    const ofIdle = busy.questionMs / idle.questionMs;
    return {
      server: hostile.name,
      run: run
        ? `${run.status} ${run.errors.map((/** @type {any} */ { code }) => code).join(' ')}`
        : 'cancelled',
      'run, s': round(busy.seconds, 1),
      'CPU, s': round(busy.cpu, 1),
      'of its own process': round(busy.ownCpu, 1),
      'memory, MB more': round(busy.memory, 0),
      'in its own process': round(busy.ownMemory, 0),
      'health, ms': round(busy.healthMs, 0),
      'idle, ms': round(idle.healthMs, 0),
      'questions, p95 ms': round(busy.questionMs, 1),
      'longest, ms': round(busy.longestQuestionMs, 0),
      'of idle': round(ofIdle, 1),
      verdict: busy.healthMs <= MAX_HEALTH_MS && ofIdle <= MAX_OF_IDLE ? 'met' : 'missed',
    };
  } finally {
    await service.stop();
    await server.stop();
  }
}

/** @param {Service} service @param {string} sourceId */
async function runOf(service, sourceId) {
  const { id } = await service.call('POST', `/sources/${sourceId}/run`, {});
  const startedAt = performance.now();
  while (performance.now() - startedAt < MAX_RUN_MS) {
    const { data } = await service.call('GET', `/sources/${sourceId}/runs?limit=1`);
    if (data[0]?.id === id && data[0].status !== 'running') return data[0];
    await pause(50);
  }
  await service.call('POST', `/sources/${sourceId}/cancel`, {}).catch(() => undefined);
  return undefined;
}

/**
 * Does `work`, and asks the service meanwhile.
 *
 * @param {Service} service
 * @param {() => Promise<number>} ask
 * @param {() => Promise<any>} work
 */
async function watched(service, ask, work) {
  const { pid } = service;
  const before = {
    cpu: cpuSeconds(pid),
    own: ownCpuSeconds(pid),
    memory: memoryOf(pid),
    ownMemory: ownMemoryOf(pid),
  };
  /** @type {number[]} */
  const health = [];
  /** @type {number[]} */
  const questions = [];
  let memory = before.memory;
  let ownMemory = before.ownMemory;
  let isOver = false;
  const asks = async (/** @type {() => Promise<unknown>} */ once) => {
    while (!isOver) await once();
  };
  const watching = [
    asks(async () => {
      const startedAt = performance.now();
      await (await globalThis.fetch(`${service.url}/health/live`)).arrayBuffer();
      health.push(performance.now() - startedAt);
      memory = Math.max(memory, memoryOf(pid));
      ownMemory = Math.max(ownMemory, ownMemoryOf(pid));
      await pause(10);
    }),
    asks(async () => {
      questions.push(await ask());
      await pause(20);
    }),
  ];
  const startedAt = performance.now();
  const run = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  isOver = true;
  await Promise.all(watching);
  return {
    ...{ run, seconds, cpu: cpuSeconds(pid) - before.cpu, ownCpu: ownCpuSeconds(pid) - before.own },
    ...{ memory: memory - before.memory, ownMemory: ownMemory - before.ownMemory },
    healthMs: Math.max(...health),
    questionMs: quantile(questions, 0.95),
    longestQuestionMs: Math.max(...questions),
  };
}

/** @param {Service} service @returns {Promise<() => Promise<number>>} asks once, and says how many ms it took */
async function asker(service) {
  const { id: kbId } = await service.call('POST', '/kbs', { name: 'Policies' });
  for (let number = 0; number < DOCUMENTS; number++) {
    await service.call('POST', `/kbs/${kbId}/documents`, {
      title: `Policy ${number}`,
      text: `Customers may return order ${number} within ${number + 2} days of delivery.`,
    });
  }
  const path = `/kbs/${kbId}/documents?status=ready&limit=1`;
  while ((await service.call('GET', path)).total < DOCUMENTS) await pause(200);
  const { api_key } = await service.call('POST', `/kbs/${kbId}/api-keys`, {
    ...{ name: 'bench', environment: 'live', rate_limit_per_minute: 1_000_000 },
  });
  let asked = 0;
  return async () => {
    const startedAt = performance.now();
    const message = `How long may I return order ${asked++ % DOCUMENTS}?`;
    await service.call('POST', '/query', { api_key, message });
    return performance.now() - startedAt;
  };
}

/** CPU time of a process without its children. @param {number} pid @returns {number} seconds */
function ownCpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

/** @param {number} pid @returns {number} megabytes */
const ownMemoryOf = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** With its child processes. @param {number} pid @returns {number} megabytes */
function memoryOf(pid) {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + memoryOf(Number(child)), ownMemoryOf(pid));
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
