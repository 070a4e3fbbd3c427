import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '../../test/support/postgres.mjs';
import { startFilled } from '../fixtures/fill.mjs';
import { ask, vacuum } from '../fixtures/knowledge-bases.mjs';
import { distinctText, readText, spread } from '../fixtures/text.mjs';
import { cpuSeconds, fire, LONG_TIMEOUTS, median, quantile, round } from '../support.mjs';

/** @typedef {import('../support.mjs').Service} Service */
/** @typedef {import('../fixtures/search-engine.mjs').SearchEngine} SearchEngine */
/** @typedef {'SQLite' | 'PostgreSQL'} Engine */

/** `RETRIEVAL_DATABASES`: one or both, also of those beside which a search engine runs. */
export const ENGINES = /** @type {Engine[]} */ (
  (process.env['RETRIEVAL_DATABASES'] ?? 'SQLite,PostgreSQL').split(',')
);

/** CPU of a question at ten times the passages. */
const MAX_GROWTH = 3;
const MAX_HEALTH_MS = 50;

/** Passages. */
const SIZES = process.env['RETRIEVAL_SIZES']?.split(',').map(Number) ?? [
  1000, 10_000, 100_000, 1_000_000,
];
/** See fill.mjs. */
const A_TENTH = { type: 'eq', key: 'tenth', value: 3 };
const FIFTY = { type: 'eq', key: 'fifty', value: 7 };
const ROUNDS = 7;
const QUESTIONS_PER_ROUND = 40;
const CHATS = 200;
const CONNECTIONS = 16;
const SECONDS = 10;

export const NOTES = [
  `time: one /query at a time over HTTP, medians of ${ROUNDS} rounds of ${QUESTIONS_PER_ROUND} questions`,
  `CPU: of the service and, on PostgreSQL, of its server, per question of these rounds; growth: against a tenth of the passages, at most ${MAX_GROWTH}`,
  `chat: ${CHATS} of /chat, one at a time, without a language model`,
  `saturated: ${CONNECTIONS} connections for ${SECONDS} s on ${SIZES[1]} passages`,
  ...(process.argv.includes('--search-engine')
    ? [
        'in OpenSearch: one node of 2.19.1 with 1 GB of heap on the same machine, beside the database that is named; growth: of both; moved: by `search:move`, and until the node has merged what it wrote',
      ]
    : []),
];

/**
 * @param {Engine} engine
 * @param {string} serverUrl
 */
export const databaseOf = async (engine, serverUrl) => ({
  ...LONG_TIMEOUTS,
  ...(engine === 'PostgreSQL' && { DATABASE_URL: await createDatabase(serverUrl) }),
});

/**
 * What a question costs in knowledge bases of all sizes.
 *
 * @param {string} serverUrl
 * @param {string} directory of the PostgreSQL server
 * @param {NodeJS.ProcessEnv} environment of the service
 * @param {Exclude<SearchEngine, 'skipped'>} searchEngine
 * @param {(environment: NodeJS.ProcessEnv) => Promise<void>} [prepare] before it starts on the filled ones
 */
export async function measureSpeed(serverUrl, directory, environment, searchEngine, prepare) {
  const { passages, questions } = readText();
  const serverPid = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  /** @type {Record<string, string | number>[]} */
  const latencies = [];
  /** @type {Record<string, string | number>[]} */
  const restricted = [];
  /** @type {Record<string, string | number>[]} */
  const health = [];
  /** @type {Record<string, string | number>[]} */
  const moved = [];
  for (const engine of ENGINES) {
    const { service, knowledgeBases } = await startFilled(
      { ...(await databaseOf(engine, serverUrl)), ...environment, ...searchEngine?.environment },
      SIZES,
      (number) => distinctText(passages, number),
      { environment: 'live', rate_limit_per_minute: 1_000_000 },
      async (filled) => {
        await prepare?.(filled);
        const row = await searchEngine?.move(
          filled,
          SIZES.reduce((sum, size) => sum + size, 0),
        );
        if (row) moved.push({ from: engine, ...row });
      },
    );
    await vacuum(service.environment['DATABASE_URL']);
    const cpu = () => ({
      own: cpuSeconds(service.pid) + (engine === 'PostgreSQL' ? cpuSeconds(serverPid) : 0),
      nodes: searchEngine?.cpu() ?? 0,
    });
    /**
     * @param {ReturnType<typeof cpu>} before
     * @param {number} count of questions since
     */
    const perQuestion = (before, count) => {
      const { own, nodes } = cpu();
      return {
        own: ((own - before.own) * 1000) / count,
        nodes: ((nodes - before.nodes) * 1000) / count,
      };
    };
    /** @param {string} title @param {ReturnType<typeof cpu>} used */
    const columns = (title, { own, nodes }) => ({
      [title]: round(own),
      ...(searchEngine && { [`${title} of OpenSearch`]: round(nodes) }),
    });
    /** @type {number | undefined} */
    let smaller;
    for (const { id, key, size } of knowledgeBases) {
      const measure = async (/** @type {object} */ more) => {
        const before = cpu();
        const ms = await medianTime(questions, (message) =>
          ask(service.url, { api_key: key, message, ...more }),
        );
        return { ms, used: perQuestion(before, QUESTIONS_PER_ROUND * (ROUNDS + 1)) };
      };
      // What a node does often, it compiles after some hundred times.
      if (searchEngine && smaller === undefined) await measure({});
      const { ms: http, used } = await measure({});
      const beforeChats = cpu();
      const chats = [];
      for (const message of spread(questions, CHATS, 0)) {
        chats.push(await ask(service.url, { api_key: key, message }, '/chat'));
      }
      const perChat = perQuestion(beforeChats, CHATS);
      const all = used.own + used.nodes;
      const growth = smaller === undefined ? undefined : all / smaller;
      latencies.push({
        engine,
        passages: size,
        'p50 ms': round(http),
        ...columns('CPU ms', used),
        growth: growth === undefined ? '' : round(growth),
        verdict: growth === undefined ? '' : growth <= MAX_GROWTH ? 'met' : 'missed',
        ...columns('chat CPU ms', perChat),
        'chat p95 ms': round(quantile(chats, 0.95), 0),
      });
      smaller = all;
      const note = async (/** @type {string} */ sees, /** @type {object} */ more) => {
        const { ms, used: seen } = await measure(more);
        restricted.push({
          engine,
          passages: size,
          sees,
          'p50 ms': round(ms),
          ...columns('CPU ms', seen),
        });
      };
      await note('a tenth, by a filter', { filter: A_TENTH });
      await note('50 documents, by a filter', { filter: FIFTY });
      await hideOne(service, id);
      await note('all but one document, by rules', {});
      await note('a tenth of these, by a filter', { filter: A_TENTH });
      if (size === SIZES[1]) health.push(await measureHealth(engine, service, key, questions));
    }
    await service.stop();
  }
  return { latencies, restricted, health, moved };
}

/**
 * Gives a knowledge base a rule: from then on each question counts what its reader sees.
 *
 * @param {Service} service
 * @param {string} id
 */
async function hideOne(service, id) {
  const { data } = await service.call('GET', `/kbs/${id}/documents?limit=1`);
  const access = { allow: ['group:nobody'] };
  await service.call('PATCH', `/documents/${data[0].id}`, { access });
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
