import { ASSUMPTIONS } from './assumptions.mjs';
import { demandOf, kindsOf, ORIGINALS, storageOf } from './demand.mjs';
import { quantile } from '../fixtures/quantile.mjs';
import { simulate } from './simulate.mjs';

/**
 * @typedef {import('./measure.mjs').Costs} Costs
 * @typedef {import('./demand.mjs').Load} Load
 * @typedef {import('./simulate.mjs').RequestKind} RequestKind
 * @typedef {import('./simulate.mjs').Step} Step
 */

/** Simulated; requests of the first part are not counted. */
const REQUESTS = 150_000;
const WARM_UP_SHARE = 0.2;

/**
 * The smallest deployment for a load, in which nothing is busier than the target; an object store
 * has the originals.
 *
 * @param {Costs} costs
 * @param {Load} load
 * @param {number} [target] from 0 to 1
 */
export function sizeOf(costs, load, target = ASSUMPTIONS.targetUtilisation) {
  const A = ASSUMPTIONS;
  const demand = demandOf(costs, load);
  const groups = storageOf(costs, load);
  const stored = groups
    .filter(({ name }) => name !== ORIGINALS)
    .reduce((sum, { bytes }) => sum + bytes, 0);
  const idleCores = (/** @type {'serviceCpuMs' | 'databaseCpuMs'} */ of) => costs.idle[of] / 1000;
  const usable = target - idleCores('serviceCpuMs');
  const processes = Math.ceil(demand.serviceCores / usable);
  const databaseCores = (demand.databaseCores + processes * idleCores('databaseCpuMs')) / target;
  /** Each of the knowledge bases is in one database, and so is all that belongs to it. */
  const databases = Math.max(
    1,
    Math.ceil(databaseCores / A.databaseCores),
    Math.ceil(demand.walBytes / (A.walBytesPerSecond * target)),
    Math.ceil(stored / (A.databaseBytes * A.fullAt)),
  );
  return {
    processes,
    // One more, so that one may fail.
    machines: Math.ceil(processes / A.coresPerMachine) + 1,
    databaseCores: Math.ceil(databaseCores),
    databases,
    connections: processes * A.poolSize,
    walBytes: demand.walBytes,
    statements: demand.statements,
    groups,
    stored,
  };
}

/**
 * Simulates one of the databases of a deployment, with the processes that use it. The others are the
 * same, and share nothing with it.
 *
 * @param {Costs} costs
 * @param {Load} load
 * @param {ReturnType<typeof sizeOf>} size
 */
export function simulateDatabase(costs, load, { processes, databaseCores, databases }) {
  const copies = Math.ceil(processes / databases);
  const kinds = kindsOf(costs, load).map(({ name, perSecond, cost }) => ({
    name,
    perSecond: perSecond / databases,
    steps: name === 'document' ? backgroundSteps(cost) : requestSteps(cost),
  }));
  const perSecond = kinds.reduce((sum, kind) => sum + kind.perSecond, 0);
  const seconds = REQUESTS / perSecond;
  const { times, stations, arrived, completed } = simulate({
    stations: {
      process: { servers: 1, isCopied: true },
      connections: { servers: ASSUMPTIONS.poolSize, isCopied: true },
      database: { servers: Math.ceil(databaseCores / databases) },
    },
    copies,
    kinds,
    seconds,
    warmUpSeconds: seconds * WARM_UP_SHARE,
  });
  const answered = kinds.filter(({ name }) => name !== 'document').map(({ name }) => name);
  const milliseconds = (/** @type {string[]} */ names, /** @type {number} */ q) =>
    quantile(
      names.flatMap((name) => times.get(name) ?? []),
      q,
    ) * 1000;
  return {
    arrived,
    completed,
    p50: milliseconds(answered, 0.5),
    p99: milliseconds(answered, 0.99),
    p99OfQuery: milliseconds(['query'], 0.99),
    p99OfChat: milliseconds(['chat'], 0.99),
    utilisation: Object.fromEntries(
      [...stations].map(([name, { utilisation }]) => [name, utilisation]),
    ),
  };
}

/**
 * The service works before, between and after its statements, each of which takes a connection for a
 * round trip and its part of the database's work.
 *
 * @param {import('./measure.mjs').Cost} cost
 * @returns {Step[]}
 */
function requestSteps({ serviceCpuMs, databaseCpuMs, statements }) {
  const count = Math.max(1, Math.round(statements));
  const part = served('process', serviceCpuMs / 1000 / (count + 1));
  return [
    ...part,
    ...Array.from({ length: count }, () => [
      ...statementSteps(databaseCpuMs / 1000 / count),
      ...part,
    ]).flat(),
  ];
}

/**
 * Documents are read by processes of their own, which take no time of those that answer, on cores
 * that are counted with theirs.
 *
 * @param {import('./measure.mjs').Cost} cost
 * @returns {Step[]}
 */
function backgroundSteps({ databaseCpuMs, statements }) {
  const count = Math.max(1, Math.round(statements));
  return Array.from({ length: count }, () => statementSteps(databaseCpuMs / 1000 / count)).flat();
}

/**
 * @param {number} work
 * @returns {Step[]}
 */
const statementSteps = (work) => [
  { take: 'connections' },
  { wait: ASSUMPTIONS.roundTripSeconds },
  ...served('database', work),
  { give: 'connections' },
];

/**
 * @param {string} station
 * @param {number} work
 * @returns {Step[]}
 */
const served = (station, work) => [{ take: station }, { work }, { give: station }];
