// What rules on documents cost: a knowledge base is asked without rules, and then with them.
import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../test/support/postgres.mjs';
import { startFilled } from './fixtures/fill.mjs';
import { ask, vacuum } from './fixtures/knowledge-bases.mjs';
import { distinctText, readText, spread } from './fixtures/text.mjs';
import { databaseOf, ENGINES } from './retrieval/speed.mjs';
import { cpuSeconds, median, report, round, startService } from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */
/** @typedef {{ service: Service, cpu: () => number, kbId: string, tokens: string[] }} Asked */
/** @typedef {{ cpu: number, time: number }} Cost milliseconds a question */

const DOCUMENTS = Number(process.env['ACCESS_DOCUMENTS'] ?? 100_000);
const SETS = 1000;
const GROUPS = 200;
const PERSONS = 64;
const ROUNDS = 7;
const QUESTIONS = 40;
const QUESTIONS_WHILE_INDEXING = 10;
const MAX_RATIO = 1.3;

/** Who asks, and how. */
const WAYS = {
  'by one person': askBy(() => 0),
  [`by ${PERSONS} persons in turn`]: askBy((number) => number % PERSONS),
  'after a document was indexed': askAfterIndexing,
};

export default async function access() {
  const { passages, questions, source } = readText();
  const { url: serverUrl, server, directory } = await startPostgres();
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  /** @type {Record<string, string | number>[]} */
  const rows = [];
  try {
    for (const engine of ENGINES) {
      const filled = await startFilled(
        { ...(await databaseOf(engine, serverUrl)), EMBEDDINGS: 'off' },
        [DOCUMENTS],
        (number) => distinctText(passages, number),
        { environment: 'live', rate_limit_per_minute: 1_000_000 },
      );
      const [kb] = filled.knowledgeBases;
      if (!kb) throw new Error('There is a knowledge base');
      const { environment } = filled.service;
      const measure = async (/** @type {Service} */ service) => {
        await vacuum(environment['DATABASE_URL']);
        const cpu = () =>
          cpuSeconds(service.pid) + (engine === 'PostgreSQL' ? cpuSeconds(postmaster) : 0);
        const tokens = await tokensOf(service, kb.key);
        const costs = await costsOf({ service, cpu, kbId: kb.id, tokens }, questions);
        await service.stop();
        return costs;
      };
      const without = await measure(filled.service);
      await giveRules(environment);
      const rules = await measure(await startService(environment));
      for (const [way, cost] of Object.entries(rules)) {
        const free = without[way];
        if (free) rows.push({ engine, asked: way, ...compared(free, cost) });
      }
    }
    report('access', {
      notes: [
        `${source}; ${DOCUMENTS} documents of one passage, asked without rules, and then with each of them referring to one of ${SETS} access sets; client tokens with ${GROUPS} groups each, every group in one set`,
        `/query, one at a time, medians of ${ROUNDS} rounds of ${QUESTIONS} questions, on both sides the same; aimed at ${MAX_RATIO} at most`,
        `CPU: of the service and, on PostgreSQL, of its server`,
        `after a document was indexed: ${QUESTIONS_WHILE_INDEXING} questions a round, before each of which a document is added and has become ready; without the cost of indexing it`,
      ],
      tables: { 'Cost of a question': rows },
    });
  } finally {
    await server.stop();
  }
}

/**
 * @param {Asked} asked
 * @param {string[]} questions
 * @returns {Promise<Record<string, Cost>>}
 */
async function costsOf(asked, questions) {
  /** @type {Record<string, Cost>} */
  const costs = {};
  for (const [name, way] of Object.entries(WAYS)) {
    const rounds = [];
    // The first round warms up.
    for (let turn = 0; turn <= ROUNDS; turn++) {
      const cost = await way(asked, questions, turn);
      if (turn > 0) rounds.push(cost);
    }
    const cpu = median(rounds.map((cost) => cost.cpu));
    costs[name] = { cpu, time: median(rounds.map((cost) => cost.time)) };
  }
  return costs;
}

/**
 * @param {Cost} without
 * @param {Cost} rules
 */
function compared(without, rules) {
  const [cpuRatio, timeRatio] = [rules.cpu / without.cpu, rules.time / without.time];
  return {
    'CPU ms without rules': round(without.cpu),
    'with rules': round(rules.cpu),
    'CPU ratio': round(cpuRatio),
    'ms without rules': round(without.time),
    'ms with rules': round(rules.time),
    'time ratio': round(timeRatio),
    verdict: Math.max(cpuRatio, timeRatio) <= MAX_RATIO ? 'met' : 'missed',
  };
}

/** @param {(number: number) => number} personOf */
function askBy(personOf) {
  return async (
    /** @type {Asked} */ { service, cpu, tokens },
    /** @type {string[]} */ questions,
    /** @type {number} */ turn,
  ) => {
    const before = cpu();
    const times = [];
    for (const [number, message] of spread(questions, QUESTIONS, turn).entries()) {
      const token = tokens[personOf(turn * QUESTIONS + number)];
      times.push(await ask(service.url, { api_key: token, message }));
    }
    return { cpu: ((cpu() - before) * 1000) / QUESTIONS, time: median(times) };
  };
}

/**
 * @param {Asked} asked
 * @param {string[]} questions
 * @param {number} turn
 */
async function askAfterIndexing({ service, cpu, kbId, tokens }, questions, turn) {
  let used = 0;
  const times = [];
  for (const [number, message] of spread(questions, QUESTIONS_WHILE_INDEXING, turn).entries()) {
    const text = `Added ${process.hrtime.bigint()} ${number}: ${message}`;
    const document = await service.call('POST', `/kbs/${kbId}/documents`, {
      ...{ title: text.slice(0, 100), text },
    });
    for (let status = ''; status !== 'ready'; await pause(20)) {
      ({ status } = await service.call('GET', `/documents/${document.id}`));
    }
    const before = cpu();
    times.push(await ask(service.url, { api_key: tokens[0], message }));
    used += cpu() - before;
  }
  return { cpu: (used * 1000) / QUESTIONS_WHILE_INDEXING, time: median(times) };
}

/**
 * Of each person, who are in other groups than the one before.
 *
 * @param {Service} service
 * @param {string} key
 * @returns {Promise<string[]>}
 */
const tokensOf = (service, key) =>
  Promise.all(
    Array.from({ length: PERSONS }, async (_, person) => {
      const first = (person * SETS) / PERSONS;
      const response = await globalThis.fetch(`${service.url}/api/v1/client-tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({
          end_user_id: `person-${person}`,
          expires_in_seconds: 3600,
          groups: Array.from({ length: GROUPS }, (_, n) => `g${Math.floor(first + n * 3) % SETS}`),
        }),
      });
      const { client_token } = /** @type {{ client_token: string }} */ (await response.json());
      return client_token;
    }),
  );

const NOW = '2026-01-01 00:00:00.000';
/** The only knowledge base. */
const KB = '(SELECT max(id) FROM knowledge_bases)';

/**
 * Refers each document to an access set, as PATCH does.
 *
 * @param {NodeJS.ProcessEnv} environment of a service that has stopped
 */
async function giveRules({ DATABASE_URL: url, DATA_DIR: directory }) {
  const json = url === undefined ? 'text' : 'jsonb';
  const numbers = `WITH RECURSIVE one (number) AS (
    SELECT 0 UNION ALL SELECT number + 1 FROM one WHERE number < ${SETS - 1})`;
  const set = `'as_' || CAST(number AS varchar)`;
  const group = `'group:g' || CAST(number AS varchar)`;
  const statements = [
    `${numbers} INSERT INTO access_sets (id, kb_id, name, rule, created_at, updated_at)
     SELECT ${set}, ${KB}, ${set}, CAST('{"allow":["' || ${group} || '"],"deny":[]}' AS ${json}),
       '${NOW}', '${NOW}' FROM one`,
    `${numbers} INSERT INTO access_entries (set_id, effect, principal, kb_id)
     SELECT ${set}, 'allow', ${group}, ${KB} FROM one`,
    // The ids of filled documents end in their numbers.
    `UPDATE documents SET access_set_id =
       'as_' || CAST(CAST(substr(id, length(id) - 5) AS integer) % ${SETS} AS varchar)
     WHERE kb_id = ${KB} AND title = 'Filled'`,
    `UPDATE knowledge_bases SET access_version = 1 WHERE id = ${KB}`,
  ];
  if (url === undefined) {
    const database = new Database(join(String(directory), 'latchkey.sqlite'));
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
