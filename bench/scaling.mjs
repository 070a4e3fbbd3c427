// What a deployment needs: a simulation of two, by what each kind of request was measured to cost.
//   --from=<file>  costs that were measured before, such as bench/scaling/measured.json
//   --keep=<file>  where to write those that are measured now
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ASSUMPTIONS } from './scaling/assumptions.mjs';
import { bytesPerRow } from './scaling/demand.mjs';
import { simulateDatabase, sizeOf } from './scaling/deployments.mjs';
import { busyAt, BUSY, limitsOf, STEPS } from './scaling/limits.mjs';
import { report, round } from './support.mjs';

/** @typedef {import('./scaling/measure.mjs').Costs} Costs */

const DEPLOYMENTS = [
  { knowledgeBases: 1e4, requestsPerSecond: 1e4, hasRedis: true },
  { knowledgeBases: 1e6, requestsPerSecond: 1e5, hasRedis: true },
];
const TARGETS = [0.4, 0.5, 0.6, 0.7, 0.8];
const STORED = [
  ...['documents', 'chunks', 'search_chunks', 'search_blocks'],
  ...['search_words', 'conversations', 'messages', 'usage_records'],
  ...['usage_counts', 'usage_end_users', 'audit_events'],
];

export default async function scaling() {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, keep: { type: 'string' } },
    allowPositionals: true,
  });
  const costs = await readCosts(values.from);
  if (values.keep !== undefined) writeFileSync(values.keep, `${JSON.stringify(costs, null, 2)}\n`);
  const sized = DEPLOYMENTS.map((load) => {
    const size = sizeOf(costs, load);
    return { load, size, simulated: simulateDatabase(costs, load, size) };
  });
  report('scaling', {
    notes: notesOf(costs),
    tables: {
      'Cost of each request': costTable(costs),
      'Bytes of a row': STORED.map((table) => ({
        table,
        rows: costs.tables[table]?.rows ?? 0,
        'bytes with indexes': Math.round(bytesPerRow(costs, table)),
      })),
      'Two deployments': deploymentTable(sized),
      'Storage after a year': storageTable(sized.map(({ size }) => size)),
      'Busier processes, slower answers': utilisationTable(costs),
      'What is busy first': limitTable(costs),
    },
  });
}

/**
 * @param {string | undefined} file
 * @returns {Promise<Costs>}
 */
async function readCosts(file) {
  if (file !== undefined) return JSON.parse(readFileSync(file, 'utf8'));
  const { measureCosts } = await import('./scaling/measure.mjs');
  return measureCosts();
}

/** @param {Costs} costs */
function notesOf({ machine, document }) {
  const { mix, ...others } = ASSUMPTIONS;
  const shares = Object.entries(mix).map(([name, share]) => `${name} ${round(share * 100, 1)} %`);
  return [
    `costs measured on ${machine.processor}, Node.js ${machine.node}, ${machine.at.slice(0, 10)}, of ${machine.source}; a document has ${document.chunks} chunks, ${document.bytesOfText} bytes of text`,
    'CPU is that beyond what idle processes take; WAL without full pages after checkpoints',
    `assumed: of the requests ${shares.join(', ')}; ${Object.entries(others)
      .map(([name, value]) => `${name} ${round(value, 4)}`)
      .join(', ')}`,
    'simulated: Poisson arrivals, exponential work, processes chosen at random, one queue for each process, one for its connections, and one for the cores of a database',
  ];
}

/** @param {Costs} costs */
function costTable({ requests, idle, document }) {
  const rows = { ...requests, 'idle process, a second': idle };
  return Object.entries(rows).map(([request, cost]) => ({
    request,
    'service, CPU ms': round(cost.serviceCpuMs, 2),
    'PostgreSQL, CPU ms': round(cost.databaseCpuMs, 2),
    'WAL, bytes': Math.round(cost.walBytes),
    statements: round(cost.statements, 1),
    'CPU ms per KB of text':
      request === 'document'
        ? round((cost.serviceCpuMs + cost.databaseCpuMs) / (document.bytesOfText / 1000), 2)
        : '',
  }));
}

/** @param {{ load: typeof DEPLOYMENTS[number], size: ReturnType<typeof sizeOf>, simulated: ReturnType<typeof simulateDatabase> }[]} sized */
function deploymentTable(sized) {
  const row = (
    /** @type {string} */ what,
    /** @type {(of: typeof sized[number]) => string | number} */ value,
  ) => ({ what, ...Object.fromEntries(sized.map((of) => [nameOf(of.load), value(of)])) });
  return [
    row('processes of the service', ({ size }) => size.processes),
    row(`machines of ${ASSUMPTIONS.coresPerMachine} cores for them`, ({ size }) => size.machines),
    row('cores of PostgreSQL', ({ size }) => size.databaseCores),
    row('databases', ({ size }) => size.databases),
    row('connections', ({ size }) => size.connections),
    row('statements a second', ({ size }) => Math.round(size.statements)),
    row('WAL, MB/s', ({ size }) => round(size.walBytes / 1e6, 1)),
    row('storage of PostgreSQL after a year, TB', ({ size }) => round(size.stored / 1e12, 2)),
    row('p50, ms', ({ simulated }) => round(simulated.p50, 1)),
    row('p99, ms', ({ simulated }) => round(simulated.p99, 1)),
    row('p99 of /query, ms', ({ simulated }) => round(simulated.p99OfQuery, 1)),
    row('p99 of /chat, ms', ({ simulated }) => round(simulated.p99OfChat, 1)),
    row('busy: processes', ({ simulated }) => percent(simulated.utilisation['process'])),
    row('busy: PostgreSQL', ({ simulated }) => percent(simulated.utilisation['database'])),
    row('busy: connections', ({ simulated }) => percent(simulated.utilisation['connections'])),
  ];
}

const percent = (/** @type {number | undefined} */ share) => `${round(Number(share) * 100, 0)} %`;

/** @param {typeof DEPLOYMENTS[number]} load */
const nameOf = ({ knowledgeBases, requestsPerSecond }) =>
  `${knowledgeBases} knowledge bases, ${requestsPerSecond} requests/s`;

/** @param {ReturnType<typeof sizeOf>[]} sizes */
function storageTable([first, second]) {
  const gigabytes = (/** @type {number | undefined} */ bytes) => Math.round(Number(bytes) / 1e9);
  return (first?.groups ?? []).map((group, index) => {
    const other = second?.groups[index];
    return {
      tables: group.name,
      'rows, 1e4 knowledge bases': group.rowsOfLargest.toExponential(1),
      'GB added in a year': gigabytes(group.bytesOfYear),
      'GB kept': gigabytes(group.bytes),
      'rows, 1e6 knowledge bases': other?.rowsOfLargest.toExponential(1) ?? '',
      'GB added': gigabytes(other?.bytesOfYear),
      'GB then kept': gigabytes(other?.bytes),
    };
  });
}

/** @param {Costs} costs */
function utilisationTable(costs) {
  const [load] = DEPLOYMENTS;
  if (!load) return [];
  return TARGETS.map((target) => {
    const size = sizeOf(costs, load, target);
    const { p50, p99, utilisation } = simulateDatabase(costs, load, size);
    return {
      'at most busy': percent(target),
      processes: size.processes,
      'cores of PostgreSQL': size.databaseCores,
      'busy: processes': percent(utilisation['process']),
      'busy: PostgreSQL': percent(utilisation['database']),
      'p50 ms': round(p50, 1),
      'p99 ms': round(p99, 1),
    };
  });
}

/** @param {Costs} costs */
function limitTable(costs) {
  return limitsOf(costs)
    .map((limit) => ({ ...limit, at: busyAt(limit) }))
    .sort((a, b) => a.at - b.at)
    .map(({ resource, then, at, utilisation }) => ({
      resource,
      [`${BUSY * 100} % at requests/s`]: Number(at.toPrecision(2)),
      step: STEPS.find((rate) => rate >= at) ?? 'beyond',
      'at that step, %': Math.round(100 * utilisation(STEPS.find((rate) => rate >= at) ?? at)),
      'takes over': then,
    }));
}
