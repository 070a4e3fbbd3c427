// What grows with what: cores, passages, neighbours, and memory over time.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { clearInterval, setInterval } from 'node:timers';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import { addKnowledgeBase, ask, copyDatabase, vacuum } from './fixtures/knowledge-bases.mjs';
import { readText, spread, WORDS_PER_PASSAGE } from './fixtures/text.mjs';
import { cpuSeconds, fire, median, report, round, startService } from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */
/** @typedef {'SQLite' | 'PostgreSQL'} Engine */

const SIZES = [1_000, 10_000, 100_000];
const NEIGHBOURS = 100;
const NEIGHBOUR_PASSAGES = 200;
const ROUNDS = 5;
const QUESTIONS_PER_ROUND = 40;
const LOAD_SECONDS = 3;
const CONNECTIONS = 32;
/** `BENCH_SOAK_SECONDS`: how long memory is watched under load. */
const SOAK_SECONDS = Number(process.env['BENCH_SOAK_SECONDS'] ?? 600);
const SOAK_WARM_UP = 0.3;

export default async function scale() {
  const { passages, questions, source } = readText();
  const { url: serverUrl, server, directory } = await startPostgres();
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  try {
    /** @type {Record<string, Record<string, string | number>[]>} */
    const tables = { 'Query cost': [], 'Authenticated requests': [], 'Memory under load': [] };
    /** @type {{ engine: Engine, environment: NodeJS.ProcessEnv, key: string }[]} */
    const engines = [];
    for (const engine of /** @type {const} */ (['SQLite', 'PostgreSQL'])) {
      const database = engine === 'SQLite' ? {} : { DATABASE_URL: await createDatabase(serverUrl) };
      const loader = await startService(database);
      /** @type {string[]} */
      const keys = [];
      for (const size of SIZES) keys.push(await addKnowledgeBase(loader, passages, size));
      await loader.stop();
      const crowded = await copyDatabase(loader.environment, serverUrl);
      const neighbours = await startService(crowded);
      for (let n = 0; n < NEIGHBOURS; n++) {
        await addKnowledgeBase(neighbours, passages.slice(n * 100), NEIGHBOUR_PASSAGES);
      }
      await neighbours.stop();
      for (const { DATABASE_URL: url } of [loader.environment, crowded]) await vacuum(url);
      const alone = await startService(loader.environment);
      const beside = await startService(crowded);
      tables['Query cost']?.push(...(await queryCost(engine, alone, beside, keys, questions)));
      await Promise.all([alone.stop(), beside.stop()]);
      engines.push({ engine, environment: loader.environment, key: String(keys[0]) });
    }
    tables['Authenticated requests'] = await processes(engines, postmaster);
    for (const { engine, environment, key } of engines) {
      tables['Memory under load']?.push(await soak(engine, environment, key, questions));
    }
    report('scale', {
      notes: [
        `${source}; a passage is ${WORDS_PER_PASSAGE} words and a heading`,
        `query cost: one /query at a time over HTTP, medians of ${ROUNDS} rounds of ${QUESTIONS_PER_ROUND} questions, alone and beside ${NEIGHBOURS} knowledge bases of ${NEIGHBOUR_PASSAGES} passages in turns`,
        `authenticated requests: /query with a question of one rare word, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${LOAD_SECONDS} s in turns; those who ask, and PostgreSQL, share the ${availableParallelism()} cores; a process on one core leaves them the others`,
        `memory: resident, /query at full rate for ${SOAK_SECONDS} s, the end against ${SOAK_WARM_UP * 100} % of the time`,
      ],
      tables,
    });
  } finally {
    await server.stop();
  }
}

/**
 * @param {Engine} engine
 * @param {Service} alone
 * @param {Service} beside
 * @param {string[]} keys by size
 * @param {string[]} questions
 */
async function queryCost(engine, alone, beside, keys, questions) {
  const subjects = SIZES.flatMap((passages, index) =>
    [alone, beside].map((service) => ({
      passages,
      service,
      key: keys[index],
      /** @type {number[]} p50 of each round, in milliseconds */
      rounds: [],
    })),
  );
  // The first round warms up.
  for (let turn = 0; turn <= ROUNDS; turn++) {
    /** @type {number[][]} */
    const times = subjects.map(() => []);
    for (const message of spread(questions, QUESTIONS_PER_ROUND, turn)) {
      for (const [index, { service, key }] of subjects.entries()) {
        times[index]?.push(await ask(service.url, { api_key: key, message }));
      }
    }
    if (turn > 0) subjects.forEach(({ rounds }, index) => rounds.push(median(times[index] ?? [])));
  }
  return SIZES.map((passages, index) => {
    const [one, other] = [subjects[2 * index], subjects[2 * index + 1]].map((subject) =>
      median(subject?.rounds ?? []),
    );
    return {
      engine,
      passages,
      'p50 ms': round(Number(one)),
      'p50 ms beside others': round(Number(other)),
      ratio: round(Number(other) / Number(one)),
    };
  });
}

/** Cores that the process of the service may use. */
const CORES = [1, availableParallelism()];

/**
 * Keeps a process with its threads to the first cores.
 *
 * @param {number} pid
 * @param {number} cores
 */
function confine(pid, cores) {
  const list = `0-${cores - 1}`;
  const { status } = spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', list, `${pid}`]);
  if (status !== 0) throw new Error('taskset could not confine the service to one core');
}

/**
 * One process, on both engines, in turns.
 *
 * @param {{ engine: Engine, environment: NodeJS.ProcessEnv, key: string }[]} engines
 * @param {number} postmaster its process id
 */
async function processes(engines, postmaster) {
  const subjects = await Promise.all(
    engines.flatMap(({ engine, environment, key }) =>
      CORES.map(async (cores) => ({
        engine,
        cores,
        service: await startService(environment),
        bodies: [{ api_key: key, message: 'Zyzzyva?' }],
        /** @type {number[]} */
        perSecond: [],
        /** @type {number[]} */
        perCore: [],
        /** @type {number[]} */
        perCoreInAll: [],
      })),
    ),
  );
  for (const { service, cores } of subjects) if (cores === 1) confine(service.pid, cores);
  for (let turn = 0; turn <= ROUNDS; turn++) {
    for (const { service, engine, bodies, ...measured } of subjects) {
      const used = () => [
        cpuSeconds(service.pid),
        engine === 'PostgreSQL' ? cpuSeconds(postmaster) : 0,
      ];
      const [ownBefore = 0, databaseBefore = 0] = used();
      const load = { url: service.url, path: '/query', bodies };
      const { requests, perSecond } = await fire({
        ...load,
        connections: CONNECTIONS,
        seconds: LOAD_SECONDS,
      });
      const [ownAfter = 0, databaseAfter = 0] = used();
      if (turn === 0) continue;
      const own = ownAfter - ownBefore;
      measured.perSecond.push(perSecond);
      measured.perCore.push(requests / own);
      measured.perCoreInAll.push(requests / (own + databaseAfter - databaseBefore));
    }
  }
  await Promise.all(subjects.map(({ service }) => service.stop()));
  const of = (/** @type {Engine} */ engine, /** @type {number} */ index) =>
    subjects.filter((subject) => subject.engine === engine)[index];
  return subjects.map(({ engine, cores, perSecond, perCore, perCoreInAll }, index) => {
    const toFirst = median(perSecond) / median(of(engine, 0)?.perSecond ?? []);
    const peer = of('SQLite', index % CORES.length);
    return {
      engine,
      cores,
      'requests/s': Math.round(median(perSecond)),
      'to one process on one core': round(toFirst),
      'per core of the service': Math.round(median(perCore)),
      'to SQLite': round(median(perCore) / median(peer?.perCore ?? [])),
      'per core, database included': Math.round(median(perCoreInAll)),
    };
  });
}

/**
 * @param {Engine} engine
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} key
 * @param {string[]} questions
 */
async function soak(engine, environment, key, questions) {
  const service = await startService(environment);
  const resident = () => {
    const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };
  const bodies = spread(questions, 200, 0).map((message) => ({ api_key: key, message }));
  /** @type {number[]} MiB, once a second */
  const samples = [];
  const sampling = setInterval(() => samples.push(resident()), 1000);
  await fire({ url: service.url, path: '/query', bodies, connections: 8, seconds: SOAK_SECONDS });
  clearInterval(sampling);
  await service.stop();
  // What it settles at, not where the garbage collector happens to be.
  const tenth = Math.ceil(samples.length / 10);
  const from = Math.floor(samples.length * SOAK_WARM_UP);
  const early = median(samples.slice(from, from + tenth));
  const late = median(samples.slice(-tenth));
  return {
    engine,
    'MiB after warm-up': round(early, 0),
    'MiB at the end': round(late, 0),
    growth: `${round((late / early - 1) * 100, 1)} %`,
  };
}
