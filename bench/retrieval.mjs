// How well questions find their passages, on public test collections, and how long that takes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import {
  addCollection,
  COLLECTIONS,
  corrupt,
  CORRUPTED_WORDS,
  gain,
  generator,
  readCollection,
} from './fixtures/collections.mjs';
import { startFilled } from './fixtures/fill.mjs';
import { ask, vacuum } from './fixtures/knowledge-bases.mjs';
import { DATA, readText, spread } from './fixtures/text.mjs';
import {
  cpuSeconds,
  fire,
  median,
  quantile,
  report,
  round,
  startService,
  LONG_TIMEOUTS,
} from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */
/** @typedef {'SQLite' | 'PostgreSQL'} Engine */

const ENGINES = /** @type {const} */ (['SQLite', 'PostgreSQL']);

const MIN_NDCG = 0.63;
const MIN_CORRUPTED = 0.9;
/** CPU of a question at ten times the passages. */
const MAX_GROWTH = 3;
const MAX_HEALTH_MS = 50;

const RESULTS = 30;
/** Passages. */
const SIZES = process.env['RETRIEVAL_SIZES']?.split(',').map(Number) ?? [
  1000, 10_000, 100_000, 1_000_000,
];
const NO_PASSAGE = { heading: '', text: '' };
const ROUNDS = 7;
const QUESTIONS_PER_ROUND = 40;
const CONNECTIONS = 16;
const SECONDS = 10;

export default async function retrieval() {
  const { url: serverUrl, server, directory } = await startPostgres();
  try {
    /** @type {Record<string, Record<string, string | number>[]>} */
    const tables = {};
    if (DATA !== undefined) {
      tables['nDCG@10'] = await measureQuality(serverUrl);
    } else {
      console.warn('SKIPPED: RETRIEVAL_DATA names no folder of test collections');
    }
    const { latencies, health } = await measureSpeed(serverUrl, directory);
    tables['Time for a question'] = latencies;
    tables['/health/live while searches saturate the service'] = health;
    report('retrieval', {
      notes: [
        `nDCG@10 by document over ${RESULTS} passages; corrupted: ${CORRUPTED_WORDS * 100} % of the content words of a question have one letter left out, put in, replaced or swapped, always the same`,
        `time: one /query at a time over HTTP, medians of ${ROUNDS} rounds of ${QUESTIONS_PER_ROUND} questions`,
        `CPU: of the service and, on PostgreSQL, of its server, per question of these rounds; growth: against a tenth of the passages, at most ${MAX_GROWTH}`,
        `saturated: ${CONNECTIONS} connections for ${SECONDS} s on ${SIZES[1]} chunks`,
      ],
      tables,
    });
  } finally {
    await server.stop();
  }
}

/**
 * @param {Engine} engine
 * @param {string} serverUrl
 */
const databaseOf = async (engine, serverUrl) => ({
  ...LONG_TIMEOUTS,
  ...(engine === 'PostgreSQL' && { DATABASE_URL: await createDatabase(serverUrl) }),
});

/** @param {string} serverUrl */
async function measureQuality(serverUrl) {
  /** @type {Record<string, string | number>[]} */
  const rows = [];
  for (const engine of ENGINES) {
    const service = await startService(await databaseOf(engine, serverUrl));
    /** @type {{ clean: number, corrupted: number }[]} */
    const scores = [];
    for (const name of COLLECTIONS) {
      const { clean, corrupted, perSecond } = await evaluate(service, name);
      scores.push({ clean, corrupted });
      rows.push({
        engine,
        collection: name,
        clean: round(clean, 4),
        corrupted: round(corrupted, 4),
        'documents/s': round(perSecond, 0),
        verdict: '',
      });
    }
    await service.stop();
    const mean = (/** @type {'clean' | 'corrupted'} */ which) =>
      scores.reduce((sum, score) => sum + score[which], 0) / scores.length;
    const [clean, corrupted] = [mean('clean'), mean('corrupted')];
    rows.push({
      engine,
      collection: 'mean',
      clean: round(clean, 4),
      corrupted: round(corrupted, 4),
      'documents/s': '',
      verdict: clean >= MIN_NDCG && corrupted >= MIN_CORRUPTED * clean ? 'met' : 'missed',
    });
  }
  return rows;
}

/**
 * @param {Service} service
 * @param {string} name of the collection
 */
async function evaluate(service, name) {
  const { corpus, relevant, questions } = readCollection(name);
  const { id, key, seconds } = await addCollection(service, name, corpus);
  const ndcg = async (/** @type {(text: string) => string} */ change) => {
    let sum = 0;
    for (const question of questions) {
      const wanted = relevant.get(question.id) ?? new Set();
      sum += gain(await documentsFor(service, key, change(question.text)), wanted);
    }
    return sum / questions.length;
  };
  const clean = await ndcg((text) => text);
  const random = generator(name.length);
  const corrupted = await ndcg((text) => corrupt(text, random));
  await service.call('DELETE', `/kbs/${id}`);
  return { clean, corrupted, perSecond: corpus.length / seconds };
}

/**
 * @param {Service} service
 * @param {string} key
 * @param {string} message
 * @returns {Promise<string[]>} the ten best documents
 */
async function documentsFor(service, key, message) {
  const body = { api_key: key, message: message.slice(0, 8000), top_k: RESULTS };
  const { results } = await service.call('POST', '/query', body);
  const ids = results.map((/** @type {{ external_id: string }} */ one) => one.external_id);
  return /** @type {string[]} */ ([...new Set(ids)]).slice(0, 10);
}

/**
 * @param {string} serverUrl
 * @param {string} directory of the PostgreSQL server
 */
async function measureSpeed(serverUrl, directory) {
  const { passages, questions } = readText();
  const serverPid = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  /** @type {Record<string, string | number>[]} */
  const latencies = [];
  /** @type {Record<string, string | number>[]} */
  const health = [];
  for (const engine of ENGINES) {
    const { service, knowledgeBases } = await startFilled(
      await databaseOf(engine, serverUrl),
      SIZES,
      (number) => {
        const { heading, text: body } = passages[number % passages.length] ?? NO_PASSAGE;
        return `${heading}. ${body}`;
      },
      { environment: 'live', rate_limit_per_minute: 1_000_000 },
    );
    await vacuum(service.environment['DATABASE_URL']);
    const cpu = () =>
      cpuSeconds(service.pid) + (engine === 'PostgreSQL' ? cpuSeconds(serverPid) : 0);
    /** @type {number | undefined} */
    let smaller;
    for (const { key, size } of knowledgeBases) {
      const before = cpu();
      const http = await medianTime(questions, (message) =>
        ask(service.url, { api_key: key, message }),
      );
      const perQuestion = ((cpu() - before) * 1000) / (QUESTIONS_PER_ROUND * (ROUNDS + 1));
      const growth = smaller === undefined ? undefined : perQuestion / smaller;
      latencies.push({
        engine,
        chunks: size,
        'p50 ms': round(http),
        'CPU ms': round(perQuestion),
        growth: growth === undefined ? '' : round(growth),
        verdict: growth === undefined ? '' : growth <= MAX_GROWTH ? 'met' : 'missed',
      });
      smaller = perQuestion;
      if (size === SIZES[1]) health.push(await measureHealth(engine, service, key, questions));
    }
    await service.stop();
  }
  return { latencies, health };
}

/**
 * @param {string[]} questions
 * @param {(question: string) => unknown} ask
 * @returns {Promise<number>} milliseconds
 */
async function medianTime(questions, ask) {
  const rounds = [];
  // The first round warms up.
  for (let turn = 0; turn <= ROUNDS; turn++) {
    const times = [];
    for (const question of spread(questions, QUESTIONS_PER_ROUND, turn)) {
      const begin = performance.now();
      await ask(question);
      times.push(performance.now() - begin);
    }
    if (turn > 0) rounds.push(median(times));
  }
  return median(rounds);
}

/**
 * @param {Engine} engine
 * @param {Service} service
 * @param {string} key
 * @param {string[]} questions
 */
async function measureHealth(engine, service, key, questions) {
  const bodies = spread(questions, 100, 0).map((message) => ({ api_key: key, message }));
  const load = fire({
    url: service.url,
    path: '/query',
    bodies,
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  const times = [];
  let isOver = false;
  void load.finally(() => (isOver = true));
  while (!isOver) {
    const begin = performance.now();
    await (await globalThis.fetch(`${service.url}/health/live`)).arrayBuffer();
    times.push(performance.now() - begin);
    await pause(10);
  }
  const { perSecond } = await load;
  const p99 = quantile(times, 0.99);
  return {
    engine,
    'questions/s': round(perSecond, 0),
    'p99 ms': round(p99),
    verdict: p99 < MAX_HEALTH_MS ? 'met' : 'missed',
  };
}
