import { ASSUMPTIONS, DAYS_OF_YEAR, SECONDS_OF_DAY } from './assumptions.mjs';

/**
 * @typedef {import('./measure.mjs').Cost} Cost
 * @typedef {import('./measure.mjs').Costs} Costs
 * @typedef {{ knowledgeBases: number, requestsPerSecond: number, hasRedis: boolean }} Load
 */

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

/** Rows of the tables in each of the groups in which docs/scaling.md shows them. */
const GROUPS = {
  'documents and their contents': ['documents', 'document_contents', 'stored_contents'],
  chunks: ['chunks'],
  'search index': [
    ...['search_blocks', 'search_chunks', 'search_indexes', 'search_languages'],
    ...['search_postings', 'search_spellings', 'search_words'],
  ],
  'conversations and messages': ['conversations', 'messages', 'unanswered_questions'],
  'usage records, 31 days': ['usage_records'],
  'counters of keys': ['usage_counts'],
  'counters of end users': ['usage_end_users'],
  'audit events': ['audit_events'],
};
const QUARTERS_OF_HOUR = 4;

/**
 * Rows and bytes after a year, by group of tables. What grows with documents was measured for each
 * document, what grows with requests for each request.
 *
 * @param {Costs} costs
 * @param {Load} load
 */
export function storageOf(costs, { knowledgeBases, requestsPerSecond }) {
  const A = ASSUMPTIONS;
  const documents = knowledgeBases * A.documentsPerKnowledgeBase;
  const requestsPerDay = requestsPerSecond * A.meanToPeak * SECONDS_OF_DAY;
  const keys = knowledgeBases * A.keysPerKnowledgeBase;
  const loaded = costs.tables['documents']?.rows ?? 0;
  const rowsOf = (/** @type {string} */ table) => costs.tables[table]?.rows ?? 0;
  const counted = ['query', 'chat'].reduce((sum, name) => sum + share(name), 0);
  const perChat = (/** @type {string} */ table) => costs.requests['chat']?.rows[table] ?? 0;
  const rows = (/** @type {string} */ table) => {
    switch (table) {
      case 'usage_records':
        return requestsPerDay * counted * A.recordsKeptDays;
      case 'usage_counts':
        return keys * A.hoursOfUse * QUARTERS_OF_HOUR * DAYS_OF_YEAR;
      case 'usage_end_users':
        return knowledgeBases * A.endUsersDaily * DAYS_OF_YEAR;
      case 'audit_events':
        return documents * (1 + A.replacedDaily * DAYS_OF_YEAR);
      case 'conversations':
      case 'messages':
      case 'unanswered_questions':
        return requestsPerDay * share('chat') * perChat(table) * DAYS_OF_YEAR;
      default:
        return (documents * rowsOf(table)) / loaded;
    }
  };
  return Object.entries(GROUPS).map(([name, tables]) => {
    const parts = tables.map((table) => ({
      rows: rows(table),
      bytes: rows(table) * bytesPerRow(costs, table),
    }));
    return {
      name,
      rows: parts.reduce((most, part) => Math.max(most, part.rows), 0),
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  });
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
