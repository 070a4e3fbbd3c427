// PostgreSQL against SQLite: requests per core, and how long retrieval takes as text grows.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import {
  cpuSeconds,
  fire,
  median,
  quantile,
  report,
  round,
  scratchDirectory,
  startService,
} from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */
/** @typedef {{ heading: string, text: string }} Passage */
/** @typedef {'SQLite' | 'PostgreSQL'} Engine */
/** @typedef {Record<number, string>} Keys by the size of the knowledge base, in chunks */
/** @typedef {{ engine: Engine, service: Service, crowded: boolean }} Instance */

const SMALL = 1000;
const LARGE = 20_000;
const NEIGHBOURS = 20;
const NEIGHBOUR_CHUNKS = 1000;
const MAX_NEIGHBOUR_RATIO = 1.3;

const WORDS_PER_CHUNK = 90;
const CHUNKS_PER_DOCUMENT = 100;
const ROUNDS = 7;
const QUESTIONS_PER_ROUND = 40;
const LOAD_ROUNDS = 5;
const LOAD_SECONDS = 3;
const CONNECTIONS = 16;

const DATA = new URL('../../shared/data/retrieval/', import.meta.url);
const COLLECTIONS = ['scifact-train', 'cran', 'cisi', 'time', 'xquad'];

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
      indexing.push({ engine, 'chunks/s': Math.round(LARGE / loaded.seconds) });
      instances.push(...loaded.instances);
    }
    // What autovacuum does within a minute or two of such a load.
    for (const { service } of instances) await vacuum(service.environment['DATABASE_URL']);

    const latencies = await measureLatencies(instances, keys, text.questions);
    const throughput = await measureThroughput(instances, keys, text.questions, postmaster);
    tell(text.source, indexing, latencies, throughput);
  } finally {
    await Promise.all(instances.map(({ service }) => service.stop()));
    await server.stop();
  }
}

/** @returns {{ source: string, passages: Passage[], questions: string[] }} */
function readText() {
  if (!existsSync(DATA)) return generatedText();
  const lines = (/** @type {string} */ file) =>
    COLLECTIONS.flatMap((name) => {
      const content = readFileSync(new URL(`${name}/${file}`, DATA), 'utf8');
      return content.trim().split('\n');
    }).map((line) => JSON.parse(line));
  const passages = lines('corpus.jsonl').flatMap(({ title, text }) => {
    const words = text.split(/\s+/).filter((/** @type {string} */ word) => /\w/.test(word));
    return cut(words).map((piece) => ({ heading: title.replace(/\s+/g, ' '), text: piece }));
  });
  const questions = lines('queries.jsonl').map(({ text }) => text.slice(0, 8000));
  return { source: `real text (${COLLECTIONS.join(', ')})`, passages, questions };
}

/** Words as frequent as Zipf says, always the same. */
function generatedText() {
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const word = () => `word${Math.floor(30_000 ** random()).toString(36)}`;
  const words = Array.from({ length: LARGE * WORDS_PER_CHUNK }, word);
  const passages = cut(words).map((text, n) => ({ heading: `Part ${n}`, text }));
  const questions = Array.from({ length: 500 }, () => Array.from({ length: 8 }, word).join(' '));
  return { source: 'generated text', passages, questions };
}

/** @param {string[]} words */
function cut(words) {
  const pieces = [];
  for (let start = 0; start < words.length; start += WORDS_PER_CHUNK) {
    pieces.push(words.slice(start, start + WORDS_PER_CHUNK).join(' '));
  }
  return pieces;
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
    const others = passages.slice((n * NEIGHBOUR_CHUNKS) % (passages.length - NEIGHBOUR_CHUNKS));
    await addKnowledgeBase(loader, others, NEIGHBOUR_CHUNKS);
  }
  await loader.stop();
  const instances = [
    { engine, service: await startService(first.environment), crowded: false },
    { engine, service: await startService(copy), crowded: true },
  ];
  return { keys, seconds, instances };
}

/**
 * @param {Service} service
 * @param {Passage[]} passages
 * @param {number} chunks
 * @returns {Promise<string>} an API key
 */
async function addKnowledgeBase(service, passages, chunks) {
  const kb = await service.call('POST', '/kbs', { name: `${chunks} chunks` });
  const key = await service.call('POST', `/kbs/${kb.id}/api-keys`, {
    name: 'Benchmark',
    environment: 'live',
    rate_limit_per_minute: 1_000_000,
  });
  for (let start = 0; start < chunks; start += CHUNKS_PER_DOCUMENT) {
    const sections = Array.from({ length: CHUNKS_PER_DOCUMENT }, (_, n) => {
      // Round and round, where there is less text than chunks.
      const { heading, text } = passages[(start + n) % passages.length] ?? {
        heading: '',
        text: '',
      };
      return `## ${heading}\n\n${text}`;
    });
    await service.call('POST', `/kbs/${kb.id}/documents`, {
      title: `Volume ${start / CHUNKS_PER_DOCUMENT}`,
      text: sections.join('\n\n'),
      mime_type: 'text/markdown',
    });
  }
  const documents = Math.ceil(chunks / CHUNKS_PER_DOCUMENT);
  for (let ready = 0; ready < documents; await pause(50)) {
    ready = (await service.call('GET', `/kbs/${kb.id}/documents?status=ready&limit=1`)).total;
  }
  return key.api_key;
}

/**
 * @param {NodeJS.ProcessEnv} environment of a service that has stopped
 * @param {string} serverUrl
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
async function copyDatabase(environment, serverUrl) {
  const directory = scratchDirectory();
  cpSync(String(environment['DATA_DIR']), directory, { recursive: true });
  const url = environment['DATABASE_URL'];
  if (url === undefined) return { ...environment, DATA_DIR: directory };
  const copy = await createDatabase(serverUrl);
  const name = (/** @type {string} */ from) => new URL(from).pathname.slice(1);
  await onServer(serverUrl, `DROP DATABASE ${name(copy)}`);
  await onServer(serverUrl, `CREATE DATABASE ${name(copy)} TEMPLATE ${name(url)}`);
  return { ...environment, DATA_DIR: directory, DATABASE_URL: copy };
}

/** @param {string | undefined} url */
async function vacuum(url) {
  if (url !== undefined) await onServer(url, 'VACUUM (ANALYZE)');
}

/**
 * @param {string} url
 * @param {string} statement
 */
async function onServer(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
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
    [SMALL, LARGE].map((chunks) => ({
      engine,
      chunks,
      crowded,
      ask: (/** @type {string} */ message) =>
        ask(service.url, { api_key: keys[engine]?.[chunks], message }),
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
  return subjects.map(({ engine, chunks, crowded, rounds }) => ({
    engine,
    chunks,
    crowded,
    p50: median(rounds.slice(1).map((times) => quantile(times, 0.5))),
    p95: median(rounds.slice(1).map((times) => quantile(times, 0.95))),
  }));
}

/**
 * @param {string} url
 * @param {object} body
 * @returns {Promise<number>} milliseconds
 */
async function ask(url, body) {
  const start = performance.now();
  const response = await globalThis.fetch(`${url}/api/v1/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`/query: ${response.status}`);
  return performance.now() - start;
}

/**
 * @param {string[]} questions
 * @param {number} count
 * @param {number} turn another turn, other questions
 */
const spread = (questions, count, turn) =>
  Array.from({ length: count }, (_, n) => {
    return String(
      questions[(turn * 31 + n * Math.floor(questions.length / count)) % questions.length],
    );
  });

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
function tell(source, indexing, latencies, throughput) {
  const base = throughput.find(({ engine }) => engine === 'SQLite');
  const p50 = (/** @type {Engine} */ engine, /** @type {number} */ chunks, crowded = false) =>
    latencies.find((l) => l.engine === engine && l.chunks === chunks && l.crowded === crowded)
      ?.p50 ?? NaN;
  const rows = latencies.filter(({ crowded }) => !crowded);
  report('engines', {
    notes: [
      `${source}; a chunk is ${WORDS_PER_CHUNK} words and a heading; questions of the same collections`,
      `latency: one /query at a time over HTTP, medians of ${ROUNDS} rounds of ${QUESTIONS_PER_ROUND} questions, each asked of all databases in turn`,
      `throughput: ${CONNECTIONS} connections, ${SMALL} chunks, medians of ${LOAD_ROUNDS} rounds of ${LOAD_SECONDS} s, in turns`,
      `neighbours: ${NEIGHBOURS} other knowledge bases of ${NEIGHBOUR_CHUNKS} chunks, also beside the one of ${LARGE}: loading as many of that size would take a quarter of an hour`,
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
      Retrieval: rows.map(({ engine, chunks, ...row }) => ({
        engine,
        chunks,
        'p50 ms': round(row.p50),
        'p95 ms': round(row.p95),
        'p50 to SQLite': round(row.p50 / p50('SQLite', chunks)),
      })),
      'Retrieval beside neighbours': rows.map(({ engine, chunks }) => {
        const ratio = p50(engine, chunks, true) / p50(engine, chunks);
        return {
          engine,
          chunks,
          'p50 ms alone': round(p50(engine, chunks)),
          'p50 ms beside them': round(p50(engine, chunks, true)),
          ratio: round(ratio),
          verdict: ratio <= MAX_NEIGHBOUR_RATIO ? 'met' : 'missed',
        };
      }),
      Indexing: indexing,
    },
  });
}
