import { ASSUMPTIONS } from './assumptions.mjs';
import { demandOf, ORIGINALS, storageOf } from './demand.mjs';

/**
 * @typedef {import('./measure.mjs').Costs} Costs
 *
 * @typedef {object} Limit of one resource, until something takes over
 * @property {string} resource
 * @property {string} then what takes over
 * @property {(requestsPerSecond: number) => number} utilisation
 */

/** A resource that is busier is about to be the limit. */
export const BUSY = 0.7;
export const STEPS = [10, 100, 1000, 10_000, 100_000, 1_000_000];

/**
 * A knowledge base for each request a second.
 *
 * @param {number} requestsPerSecond
 * @param {boolean} hasRedis
 */
const loadOf = (requestsPerSecond, hasRedis) => ({
  knowledgeBases: requestsPerSecond,
  requestsPerSecond,
  hasRedis,
});

/**
 * @param {Costs} costs
 * @returns {Limit[]}
 */
export function limitsOf(costs) {
  const A = ASSUMPTIONS;
  const demand = (/** @type {number} */ rate, hasRedis = false) =>
    demandOf(costs, loadOf(rate, hasRedis));
  const stored = (/** @type {number} */ rate, /** @type {string} */ name) =>
    storageOf(costs, loadOf(rate, true)).find((group) => group.name === name) ?? {
      rowsOfLargest: 0,
    };
  const bytes = (/** @type {number} */ rate, /** @type {string[]} */ without) =>
    storageOf(costs, loadOf(rate, true))
      .filter(({ name }) => !without.includes(name))
      .reduce((sum, group) => sum + group.bytes, 0);
  const processes = (/** @type {number} */ rate) =>
    Math.ceil(demand(rate, true).serviceCores / A.targetUtilisation);
  return [
    {
      resource: 'one process of the service',
      then: '`WORKERS`, one for each core',
      utilisation: (rate) => demand(rate).serviceCores,
    },
    {
      resource: `one machine of ${A.coresPerMachine} cores`,
      then: 'more machines behind a load balancer',
      utilisation: (rate) => demand(rate).serviceCores / A.coresPerMachine,
    },
    {
      resource: `PostgreSQL, ${A.databaseCores} cores, limits counted in it`,
      then: 'Redis for the limits (`REDIS_URL`)',
      utilisation: (rate) => demand(rate).databaseCores / A.databaseCores,
    },
    {
      resource: `PostgreSQL, ${A.databaseCores} cores, limits in Redis`,
      then: 'more databases, each with a part of the knowledge bases',
      utilisation: (rate) => demand(rate, true).databaseCores / A.databaseCores,
    },
    {
      resource: `${A.databaseConnections} connections`,
      then: 'PgBouncer (`DATABASE_POOLER=transaction`), or a smaller `DATABASE_POOL_SIZE`',
      utilisation: (rate) => (processes(rate) * A.poolSize) / A.databaseConnections,
    },
    {
      resource: `WAL, ${A.walBytesPerSecond / 1e6} MB/s`,
      then: 'more databases',
      utilisation: (rate) => demand(rate, true).walBytes / A.walBytesPerSecond,
    },
    ...[
      {
        name: 'usage records',
        then: 'partitions by time, which are dropped instead of emptied',
      },
      { name: 'conversations and messages', then: '`retention_days`, or partitions by time' },
      { name: 'search index', then: 'more databases, or OpenSearch' },
    ].map(({ name, then }) => ({
      resource: `rows of one table: ${name}`,
      then,
      utilisation: (/** @type {number} */ rate) =>
        stored(rate, name).rowsOfLargest / A.rowsPerTable,
    })),
    {
      resource: `storage of PostgreSQL, ${A.databaseBytes / 1e12} TB, with the originals`,
      then: 'an object store for the originals (`CONTENT_STORE=s3://…`)',
      utilisation: (rate) => bytes(rate, []) / A.databaseBytes,
    },
    {
      resource: `storage of PostgreSQL, ${A.databaseBytes / 1e12} TB, without the originals`,
      then: 'more databases',
      utilisation: (rate) => bytes(rate, [ORIGINALS]) / A.databaseBytes,
    },
  ];
}

/**
 * The rate at which a resource becomes busy; infinite if no rate that can be thought of does.
 *
 * @param {Limit} limit
 */
export function busyAt({ utilisation }) {
  let low = 0;
  let high = 1;
  while (utilisation(high) < BUSY) {
    if (high > 1e9) return Infinity;
    high *= 2;
  }
  for (let n = 0; n < 60; n++) {
    const middle = (low + high) / 2;
    if (utilisation(middle) < BUSY) low = middle;
    else high = middle;
  }
  return high;
}
