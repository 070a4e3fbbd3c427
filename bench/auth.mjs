// What authentication costs: one route without and with it, beside better-auth, on a large table
// and under a flood of forged keys; and with keys of several knowledge bases, which `--several` measures alone.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child, CLIENT_CORE, pinned } from './auth/child.mjs';
import {
  CALLS_PER_SECOND,
  CONNECTIONS,
  contestant,
  entries,
  FORGED_PER_SECOND,
  race,
  stored,
  withstand,
} from './auth/contestants.mjs';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import { vacuum } from './fixtures/knowledge-bases.mjs';
import { nowDoing } from './fixtures/progress.mjs';
import { cpuSeconds, report, round, scratchDirectory } from './support.mjs';

const FEW = 1_000;
const TEN = 10;
const MANY = 1_000_000;
/** Fewer than the service keeps to PostgreSQL, so that no request waits for one. */
const FEW_CONNECTIONS = 8;
const REQUESTS = 2_000;
const ROUNDS = 5;
const SECONDS = 3;
const FLOOD_ROUNDS = 3;
const FLOOD_SECONDS = 6;

/** Of a restricted key. */
const FILTER = { type: 'eq', key: 'language', value: 'de' };

const count = (/** @type {number} */ value) => Math.round(value).toLocaleString('en');

const NAMES = {
  fastify: 'bare Fastify + JSON schema',
  nest: 'Nest + Fastify + ValidationPipe',
  guarded: `the same behind ApiKeyGuard, ${count(FEW)} keys`,
  restricted: 'the same, keys with scopes and a filter',
  token: 'the same, client tokens instead of keys',
  guardedMany: `the same behind ApiKeyGuard, ${count(MANY)} keys`,
  betterAuth: `bare Fastify + better-auth, ${count(FEW)} keys`,
};

const AIMS = {
  guardedToNest: { says: 'behind ApiKeyGuard to the validated floor', atLeast: 0.55 },
  guardedToBetterAuth: { says: 'behind ApiKeyGuard to better-auth', atLeast: 7 },
  restrictedToGuarded: { says: 'keys with scopes and a filter to keys without', atLeast: 0.97 },
  manyToFew: { says: `${count(MANY)} keys to ${count(FEW)}`, atLeast: 0.9 },
  someForgedToIdle: { says: `p99 beside ${count(FORGED_PER_SECOND)} forged keys/s`, atMost: 2 },
  fullForgedToIdle: { says: 'p99 beside forged keys at full rate to idle', atMost: 2 },
  bcryptRuns: { says: 'bcrypt runs for forged keys', atMost: 0 },
};

const PEER = fileURLToPath(new URL('auth/better-auth/', import.meta.url));

/** The most that a request by a key of ten knowledge bases may take, to one by a key of one. */
const SEVERAL_AT_MOST = 1.3;

export default async function auth() {
  const only = process.argv.includes('--several');
  const postgres = await startPostgres();
  try {
    const several = await measureSeveral(postgres);
    await Child.stopAll();
    if (only) writeSeveral(several);
    else writeSection(await measure(), several);
  } finally {
    await Child.stopAll();
    await postgres.server.stop();
  }
}

/**
 * Processor time for each request, which waiting for a core does not change.
 *
 * @param {{ url: string, directory: string }} postgres a server with databases of its own
 */
async function measureSeveral({ url, directory }) {
  const [postmaster] = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
  const ten = { knowledgeBases: TEN };
  const guarded = (/** @type {Parameters<typeof contestant>[2]} */ keys) =>
    contestant('nest-server.mjs', ['guarded'], keys);
  const few = await stored(FEW);
  const sqlite = await countCpu({
    one: await guarded(few),
    ten: await guarded(await stored(FEW, ten)),
    token: await guarded({ ...few, secrets: few.tokens }),
  });
  await Child.stopAll();
  const moved = await onPostgres(await stored(FEW), url);
  const postgres = await countCpu(
    {
      one: await guarded(moved),
      ten: await guarded(await onPostgres(await stored(FEW, ten), url)),
      token: await guarded({ ...moved, secrets: moved.tokens }),
    },
    Number(postmaster),
  );
  return { SQLite: sqlite, PostgreSQL: postgres };
}

/**
 * @template {string} Name
 * @param {Record<Name, import('./auth/contestants.mjs').Contestant>} contestants
 * @param {number} [postmaster] the process id of PostgreSQL
 */
async function countCpu(contestants, postmaster) {
  const crowd = new Child('load.mjs', { core: CLIENT_CORE });
  const databaseMicros = () => (postmaster === undefined ? 0 : cpuSeconds(postmaster) * 1e6);
  const runs = entries(contestants).map(([name, contestant]) => ({
    name,
    contestant,
    rounds: /** @type {{ service: number, database: number }[]} */ ([]),
  }));
  // The first is for the compiler, and not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    nowDoing(`round ${round} of ${ROUNDS}, processor time`);
    for (const { contestant, rounds } of runs) {
      const { name, child, port, secrets } = contestant;
      const load = { port, secrets, connections: FEW_CONNECTIONS, amount: REQUESTS };
      const before = { ...(await child.ask({})), database: databaseMicros() };
      const { ok } = await crowd.ask(load);
      if (ok !== REQUESTS) throw new Error(`${name}: ${ok} of ${REQUESTS} were answered`);
      const after = { ...(await child.ask({})), database: databaseMicros() };
      if (round === 0) continue;
      rounds.push({
        service: (after.cpuMicros - before.cpuMicros) / REQUESTS,
        database: (after.database - before.database) / REQUESTS,
      });
    }
  }
  return /** @type {Record<Name, { service: number, database: number }>} */ (
    Object.fromEntries(
      runs.map(({ name, rounds }) => {
        // Other work on the machine makes a request dearer, never cheaper.
        const least = (/** @type {'service' | 'database'} */ part) =>
          Math.min(...rounds.map((figures) => figures[part]));
        return [name, { service: least('service'), database: least('database') }];
      }),
    )
  );
}

async function measure() {
  if (!existsSync(join(PEER, 'node_modules'))) {
    nowDoing('installing better-auth');
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: PEER, stdio: 'inherit' });
  }
  const few = await stored(FEW);
  const restricted = await stored(FEW, { filter: FILTER });
  const many = await stored(MANY);
  const peerFile = join(scratchDirectory(), 'better-auth.sqlite');
  const contestants = {
    fastify: await contestant('fastify-server.mjs', [], few),
    nest: await contestant('nest-server.mjs', [], few),
    guarded: await contestant('nest-server.mjs', ['guarded'], few),
    restricted: await contestant('nest-server.mjs', ['guarded'], restricted),
    token: await contestant('nest-server.mjs', ['guarded'], { ...few, secrets: few.tokens }),
    guardedMany: await contestant('nest-server.mjs', ['guarded'], many),
    betterAuth: await contestant('better-auth/server.mjs', [peerFile, String(FEW)]),
  };
  const throughput = await race(contestants, { rounds: ROUNDS, seconds: SECONDS });
  const flood = await withstand(contestants.guarded, few.retired, {
    rounds: FLOOD_ROUNDS,
    seconds: FLOOD_SECONDS,
  });
  const { nest, guarded, guardedMany, betterAuth } = throughput;
  return {
    throughput,
    flood,
    ratios: {
      guardedToNest: guarded.perSecond / nest.perSecond,
      guardedToBetterAuth: guarded.perSecond / betterAuth.perSecond,
      restrictedToGuarded: throughput.restricted.perSecond / guarded.perSecond,
      manyToFew: guardedMany.perSecond / guarded.perSecond,
      someForgedToIdle: flood.some.p99 / flood.idle.p99,
      fullForgedToIdle: flood.full.p99 / flood.idle.p99,
      bcryptRuns: flood.bcryptRuns,
    },
  };
}

/**
 * The same database, moved to PostgreSQL.
 *
 * @template {{ environment: NodeJS.ProcessEnv }} Stored
 * @param {Stored} database
 * @param {string} serverUrl
 * @returns {Promise<Stored>}
 */
async function onPostgres(database, serverUrl) {
  nowDoing('moving the keys to PostgreSQL');
  const environment = { ...database.environment, DATABASE_URL: await createDatabase(serverUrl) };
  execFileSync(
    process.execPath,
    [
      fileURLToPath(
        new URL('../dist/src/operations/migrate-to-postgres.command.js', import.meta.url),
      ),
    ],
    { env: { ...process.env, ...environment }, stdio: 'ignore' },
  );
  await vacuum(environment.DATABASE_URL);
  return { ...database, environment };
}

/** @typedef {Awaited<ReturnType<typeof measureSeveral>>} Several */

const CREDENTIALS = {
  one: 'a key of one knowledge base',
  ten: 'a key of ten',
  token: 'a client token of one',
};

/** @param {Several} several */
const tableOfSeveral = (several) => ({
  'Keys of several knowledge bases': entries(several).flatMap(([engine, credentials]) => {
    const { one } = credentials;
    return entries(credentials).map(([name, { service, database }]) => {
      const ratio = (service + database) / (one.service + one.database);
      return {
        engine,
        credential: CREDENTIALS[name],
        'CPU µs/request': round(service, 1),
        'of the database': round(database, 1),
        'to a key of one': round(ratio),
        ...(name === 'ten'
          ? { aim: `≤ ${SEVERAL_AT_MOST}`, verdict: ratio <= SEVERAL_AT_MOST ? 'met' : 'missed' }
          : { aim: '', verdict: '' }),
      };
    });
  }),
});

const NOTES_OF_SEVERAL = [
  `keys of several knowledge bases: the least of ${ROUNDS} rounds in turns of ${count(REQUESTS)} requests, ${FEW_CONNECTIONS} connections; processor time, since the machine did other work at the same time`,
];

/** @param {Several} several */
function writeSeveral(several) {
  report('auth', { notes: NOTES_OF_SEVERAL, tables: tableOfSeveral(several) });
}

/**
 * @param {Awaited<ReturnType<typeof measure>>} figures
 * @param {Several} several
 */
function writeSection({ throughput, flood, ratios }, several) {
  const { idle, some, full } = flood;
  const floor = throughput.nest.perSecond;
  const plain = throughput.guarded.perSecond;
  report('auth', {
    notes: [
      `${CONNECTIONS} connections, medians of ${ROUNDS} rounds in turns of ${SECONDS} s`,
      pinned
        ? 'the server has one core, those who ask the other'
        : 'server and those who ask share the cores: no taskset here',
      `the valid caller asks ${CALLS_PER_SECOND} times a second, medians of ${FLOOD_ROUNDS} rounds of ${FLOOD_SECONDS} s`,
      ...NOTES_OF_SEVERAL,
    ],
    tables: {
      ...tableOfSeveral(several),
      'One route': entries(throughput).map(([name, { perSecond, cpuMicros }]) => ({
        server: NAMES[name],
        'requests/s': Math.round(perSecond),
        'CPU µs/request': round(cpuMicros, 1),
        'to the validated floor': round(perSecond / floor),
        'to plain keys': round(perSecond / plain),
      })),
      'A valid caller beside forged keys': [idle, some, full].map((scene) => ({
        'forged keys/s': Math.round(scene.forgedPerSecond),
        'p50 ms': round(scene.p50),
        'p99 ms': round(scene.p99),
      })),
      'Held to the aims': entries(AIMS).map(([name, { says, ...aim }]) => ({
        ratio: says,
        measured: round(ratios[name]),
        aim: 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`,
        verdict: isMet(ratios[name], aim) ? 'met' : 'missed',
      })),
    },
  });
}

/**
 * @param {number} measured
 * @param {{ atLeast: number } | { atMost: number }} aim
 */
const isMet = (measured, aim) =>
  'atLeast' in aim ? measured >= aim.atLeast : measured <= aim.atMost;
