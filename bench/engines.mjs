// PostgreSQL against SQLite: requests per core, and how long retrieval takes as text grows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import { addKnowledgeBase, ask, copyDatabase, vacuum } from './fixtures/knowledge-bases.mjs';
import { readText, spread, WORDS_PER_PASSAGE } from './fixtures/text.mjs';
import { cpuSeconds, fire, median, quantile, report, round, startService } from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */
/** @typedef {import('./fixtures/text.mjs').Passage} Passage */
/** @typedef {'SQLite' | 'PostgreSQL'} Engine */
/** @typedef {Record<number, string>} Keys by the size of the knowledge base, in passages */
/** @typedef {{ engine: Engine, service: Service, crowded: boolean }} Instance */

const SMALL = 1000;
const LARGE = 20_000;
const NEIGHBOURS = 20;
const NEIGHBOUR_PASSAGES = 1000;
const MAX_NEIGHBOUR_RATIO = 1.3;

const ROUNDS = 7;
const QUESTIONS_PER_ROUND = 40;
const LOAD_ROUNDS = 5;
const LOAD_SECONDS = 3;
const CONNECTIONS = 16;

export default async function engines() {
  const text = readText();
  const { url: serverUrl, server, directory } = await startPostgres();
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  /** @type {Instance[]} */
  const instances = [];
  try {
    /** @type {Record<string, string | number>[]} */
    const indexing = [];
    /** @type {Partial<Record<Engine, Keys>>} */
    const keys = {};
    for (const engine of /** @type {const} */ (['SQLite', 'PostgreSQL'])) {
      const loaded = await load(engine, serverUrl, text.passages);
      keys[engine] = loaded.keys;
      indexing.push({ engine, 'passages/s': Math.round(LARGE / loaded.seconds) });
      instances.push(...loaded.instances);
    }
    // What autovacuum does within a minute or two of such a load.
    for (const { service } of instances) await vacuum(service.environment['DATABASE_URL']);

    const latencies = await measureLatencies(instances, keys, text.questions);
    const throughput = await measureThroughput(instances, keys, text.questions, postmaster);
    writeSection(text.source, indexing, latencies, throughput);
  } finally {
    await Promise.all(instances.map(({ service }) => service.stop()));
    await server.stop();
  }
}

/**
 * Loads both knowledge bases through the API, then copies the database: one stays alone, the other
 * one gets neighbours, so that both can be measured in turns.
 *
 * @param {Engine} engine
 * @param {string} serverUrl
 * @param {Passage[]} passages
 * @returns {Promise<{ keys: Keys, seconds: number, instances: Instance[] }>}
 */
async function load(engine, serverUrl, passages) {
  const database = engine === 'SQLite' ? {} : { DATABASE_URL: await createDatabase(serverUrl) };
  const first = await startService(database);
  /** @type {Keys} */
  const keys = { [SMALL]: await addKnowledgeBase(first, passages, SMALL) };
  const start = performance.now();
  keys[LARGE] = await addKnowledgeBase(first, passages, LARGE);
  const seconds = (performance.now() - start) / 1000;
  await first.stop();

  const copy = await copyDatabase(first.environment, serverUrl);
  const loader = await startService(copy);
  for (let n = 1; n <= NEIGHBOURS; n++) {
    const others = passages.slice(
      (n * NEIGHBOUR_PASSAGES) % (passages.length - NEIGHBOUR_PASSAGES),
    );
    await addKnowledgeBase(loader, others, NEIGHBOUR_PASSAGES);
  }
  await loader.stop();
  const instances = [
    { engine, service: await startService(first.environment), crowded: false },
    { engine, service: await startService(copy), crowded: true },
  ];
  return { keys, seconds, instances };
}

/**
 * One question at a time, each to all databases before the next one, so that whatever else the
 * machine does meets them alike.
 *
 * @param {Instance[]} instances
 * @param {Partial<Record<Engine, Keys>>} keys
 * @param {string[]} questions
 */
async function measureLatencies(instances, keys, questions) {
  const subjects = instances.flatMap(({ engine, service, crowded }) =>
    [SMALL, LARGE].map((passages) => ({
      engine,
      passages,
      crowded,
      ask: (/** @type {string} */ message) =>
        ask(service.url, { api_key: keys[engine]?.[passages], message }),
      /** @type {number[][]} milliseconds, by round */
      rounds: [],
    })),
  );
  // The first round warms up.
  for (let turn = 0; turn <= ROUNDS; turn++) {
    for (const subject of subjects) subject.rounds[turn] = [];
    for (const question of spread(questions, QUESTIONS_PER_ROUND, turn)) {
      for (const { ask, rounds } of subjects) rounds[turn]?.push(await ask(question));
    }
  }
  return subjects.map(({ engine, passages, crowded, rounds }) => ({
    engine,
    passages,
    crowded,
    p50: median(rounds.slice(1).map((times) => quantile(times, 0.5))),
    p95: median(rounds.slice(1).map((times) => quantile(times, 0.95))),
  }));
}

/**
 * As many questions as it takes, the engines in turns.
 *
 * @param {Instance[]} instances
 * @param {Partial<Record<Engine, Keys>>} keys
 * @param {string[]} questions
 * @param {number} postmaster its process id
 */
async function measureThroughput(instances, keys, questions, postmaster) {
  const subjects = instances
    .filter(({ crowded }) => !crowded)
    .map(({ engine, service }) => ({
      engine,
      service,
      bodies: spread(questions, 100, 0).map((message) => ({
        api_key: keys[engine]?.[SMALL],
        message,
      })),
      /** @type {number[]} */
      perSecond: [],
      /** @type {number[]} */
      perServiceCore: [],
      /** @type {number[]} */
      perCore: [],
    }));
  for (let turn = 0; turn <= LOAD_ROUNDS; turn++) {
    for (const subject of subjects) {
      const { service, bodies, engine } = subject;
      const used = () => ({
        service: cpuSeconds(service.pid),
        database: engine === 'PostgreSQL' ? cpuSeconds(postmaster) : 0,
      });
      const before = used();
      const { requests, perSecond } = await fire({
        url: service.url,
        path: '/query',
        bodies,
        connections: CONNECTIONS,
        seconds: LOAD_SECONDS,
      });
      if (turn === 0) continue;
      const after = used();
      const own = after.service - before.service;
      subject.perSecond.push(perSecond);
      subject.perServiceCore.push(requests / own);
      subject.perCore.push(requests / (own + after.database - before.database));
    }
  }
  return subjects.map(({ engine, perSecond, perServiceCore, perCore }) => ({
    engine,
    perSecond: median(perSecond),
    perServiceCore: median(perServiceCore),
    perCore: median(perCore),
  }));
}

/**
 * @param {string} source
 * @param {Record<string, string | number>[]} indexing
 * @param {Awaited<ReturnType<typeof measureLatencies>>} latencies
 * @param {Awaited<ReturnType<typeof measureThroughput>>} throughput
 */
function writeSection(source, indexing, latencies, throughput) {
  const base = throughput.find(({ engine }) => engine === 'SQLite');
  const p50 = (/** @type {Engine} */ engine, /** @type {number} */ passages, crowded = false) =>
    latencies.find((l) => l.engine === engine && l.passages === passages && l.crowded === crowded)
      ?.p50 ?? NaN;
  const rows = latencies.filter(({ crowded }) => !crowded);
  report('engines', {
    notes: [
      `${source}; a passage is ${WORDS_PER_PASSAGE} words and a heading; questions of the same collections`,
      `latency: one /query at a time over HTTP, medians of ${ROUNDS} rounds of ${QUESTIONS_PER_ROUND} questions, each asked of all databases in turn`,
      `throughput: ${CONNECTIONS} connections, ${SMALL} passages, medians of ${LOAD_ROUNDS} rounds of ${LOAD_SECONDS} s, in turns`,
      `neighbours: ${NEIGHBOURS} other knowledge bases of ${NEIGHBOUR_PASSAGES} passages, also beside the one of ${LARGE}: loading as many of that size would take a quarter of an hour`,
    ],
    tables: {
      'Authenticated /query': throughput.map((row) => ({
        engine: row.engine,
        'requests/s': Math.round(row.perSecond),
        'per core of the service': Math.round(row.perServiceCore),
        'to SQLite': round(row.perServiceCore / (base?.perServiceCore ?? NaN)),
        'per core, PostgreSQL’s own included': Math.round(row.perCore),
        'to SQLite, all included': round(row.perCore / (base?.perCore ?? NaN)),
      })),
      Retrieval: rows.map(({ engine, passages, ...row }) => ({
        engine,
        passages,
        'p50 ms': round(row.p50),
        'p95 ms': round(row.p95),
        'p50 to SQLite': round(row.p50 / p50('SQLite', passages)),
      })),
      'Retrieval beside neighbours': rows.map(({ engine, passages }) => {
        const ratio = p50(engine, passages, true) / p50(engine, passages);
        return {
          engine,
          passages,
          'p50 ms alone': round(p50(engine, passages)),
          'p50 ms beside them': round(p50(engine, passages, true)),
          ratio: round(ratio),
          verdict: ratio <= MAX_NEIGHBOUR_RATIO ? 'met' : 'missed',
        };
      }),
      Indexing: indexing,
    },
  });
}
