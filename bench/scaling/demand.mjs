import { ASSUMPTIONS, DAYS_OF_YEAR, SECONDS_OF_DAY } from './assumptions.mjs';

/**
 * @typedef {import('./measure.mjs').Cost} Cost
 * @typedef {import('./measure.mjs').Costs} Costs
 * @typedef {{ knowledgeBases: number, requestsPerSecond: number, hasRedis: boolean }} Load
 */

/** The group of the files as they were uploaded, which an object store can take. */
export const ORIGINALS = 'originals';
const QUARTERS_OF_HOUR = 4;

/**
 * Each kind of request at the peak, and the documents that are read at the same time.
 *
 * @param {Costs} costs
 * @param {Load} load
 * @returns {{ name: string, perSecond: number, cost: Cost }[]}
 */
export function kindsOf({ requests }, { knowledgeBases, requestsPerSecond, hasRedis }) {
  const documents = knowledgeBases * ASSUMPTIONS.documentsPerKnowledgeBase;
  const rates = {
    ...Object.fromEntries(
      Object.entries(ASSUMPTIONS.mix).map(([name, share]) => [name, share * requestsPerSecond]),
    ),
    document: (documents * ASSUMPTIONS.replacedDaily) / (SECONDS_OF_DAY * ASSUMPTIONS.meanToPeak),
  };
  const saved = difference(requests['query'], requests['queryWithRedis']);
  return Object.entries(rates).map(([name, perSecond]) => {
    const cost = requests[name];
    if (!cost) throw new Error(`The cost of ${name} was not measured`);
    const isLimited = name === 'query' || name === 'chat';
    return { name, perSecond, cost: hasRedis && isLimited ? difference(cost, saved) : cost };
  });
}

/**
 * @param {Cost | undefined} a
 * @param {Cost | undefined} b
 * @returns {Cost}
 */
function difference(a, b) {
  if (!a || !b) throw new Error('A cost was not measured');
  const of = (/** @type {'serviceCpuMs' | 'databaseCpuMs' | 'walBytes' | 'statements'} */ name) =>
    Math.max(0, a[name] - b[name]);
  return {
    serviceCpuMs: of('serviceCpuMs'),
    databaseCpuMs: of('databaseCpuMs'),
    walBytes: of('walBytes'),
    statements: of('statements'),
    rows: a.rows,
  };
}

/**
 * What all of them need in a second of the peak.
 *
 * @param {Costs} costs
 * @param {Load} load
 */
export function demandOf(costs, load) {
  const kinds = kindsOf(costs, load);
  const sum = (/** @type {(cost: Cost) => number} */ of) =>
    kinds.reduce((total, { perSecond, cost }) => total + perSecond * of(cost), 0);
  return {
    serviceCores: sum(({ serviceCpuMs }) => serviceCpuMs) / 1000,
    databaseCores: sum(({ databaseCpuMs }) => databaseCpuMs) / 1000,
    walBytes: sum(({ walBytes }) => walBytes),
    statements: sum(({ statements }) => statements),
  };
}

/**
 * The tables in the groups in which docs/scaling.md shows them.
 *
 * @type {{ name: string, tables: string[], keptDays?: number }[]}
 */
const GROUPS = [
  { name: ORIGINALS, tables: ['document_contents'] },
  { name: 'documents', tables: ['documents'] },
  { name: 'chunks', tables: ['chunks'] },
  {
    name: 'search index',
    tables: [
      ...['search_blocks', 'search_chunks', 'search_indexes', 'search_languages'],
      ...['search_spellings', 'search_words'],
    ],
  },
  {
    name: 'conversations and messages',
    tables: ['conversations', 'messages', 'unanswered_questions'],
    keptDays: ASSUMPTIONS.conversationsKeptDays,
  },
  { name: 'usage records', tables: ['usage_records'], keptDays: ASSUMPTIONS.recordsKeptDays },
  { name: 'counters of keys', tables: ['usage_counts'] },
  { name: 'counters of end users', tables: ['usage_end_users'] },
  { name: 'audit events', tables: ['audit_events'] },
];

/**
 * By group of tables: the rows and bytes that a year adds, and those that there are after it. What
 * grows with documents was measured for each document, what grows with requests for each request.
 *
 * @param {Costs} costs
 * @param {Load} load
 */
export function storageOf(costs, load) {
  return GROUPS.map(({ name, tables, keptDays = DAYS_OF_YEAR }) => {
    const parts = tables.map((table) => {
      const rows = rowsOfYear(costs, load, table);
      const size = name === ORIGINALS ? ASSUMPTIONS.originalBytes : bytesPerRow(costs, table);
      return { rows, bytes: rows * size };
    });
    const kept = keptDays / DAYS_OF_YEAR;
    const bytesOfYear = parts.reduce((sum, { bytes }) => sum + bytes, 0);
    return {
      name,
      bytesOfYear,
      bytes: bytesOfYear * kept,
      rowsOfLargest: Math.max(...parts.map(({ rows }) => rows)) * kept,
    };
  });
}

/**
 * @param {Costs} costs
 * @param {Load} load
 * @param {string} table
 */
function rowsOfYear({ tables, requests }, { knowledgeBases, requestsPerSecond }, table) {
  const A = ASSUMPTIONS;
  const documents = knowledgeBases * A.documentsPerKnowledgeBase;
  const requestsOfYear = requestsPerSecond * A.meanToPeak * SECONDS_OF_DAY * DAYS_OF_YEAR;
  const each = (/** @type {string[]} */ kinds) =>
    kinds.reduce((sum, name) => sum + share(name) * (requests[name]?.rows[table] ?? 0), 0);
  switch (table) {
    case 'usage_records':
      return requestsOfYear * each(['query', 'chat']);
    case 'conversations':
    case 'messages':
    case 'unanswered_questions':
      return requestsOfYear * each(['chat']);
    case 'usage_counts':
      return (
        knowledgeBases * A.keysPerKnowledgeBase * A.hoursOfUse * QUARTERS_OF_HOUR * DAYS_OF_YEAR
      );
    case 'usage_end_users':
      return knowledgeBases * A.endUsersDaily * DAYS_OF_YEAR;
    case 'audit_events':
      return documents * (1 + A.replacedDaily * DAYS_OF_YEAR);
    default:
      return (documents * (tables[table]?.rows ?? 0)) / (tables['documents']?.rows ?? 1);
  }
}

/**
 * @param {Costs} costs
 * @param {string} table
 */
export function bytesPerRow(costs, table) {
  const { bytes = 0, rows = 0 } = costs.tables[table] ?? {};
  return rows === 0 ? 0 : bytes / rows;
}

/** @param {string} name */
const share = (name) => /** @type {Record<string, number>} */ (ASSUMPTIONS.mix)[name] ?? 0;
