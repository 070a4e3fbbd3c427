import { statSync } from 'node:fs';

/**
 * The files that take longest, longest first. Jest knows only after a first run, and one of them
 * that begins last keeps the whole run waiting.
 */
const SLOWEST = [
  'interop/agents',
  'interop/terraform',
  'interop/oikb',
  'site-limits',
  'version-ends',
  'version-sequences',
  'source-changes',
  'source-processes',
  'many-processes',
  'hidden-documents',
  'faults/hosts',
  'faults/migrations',
  'faults/durability',
  'faults/missing-workers',
  'faults/slow-workers',
  'faults/removed-members',
  'faults/kill-indexing',
  'key-limits',
  'key-rotation',
  'text-failures',
  'ingestion',
  'oidc-keys',
  'open-api',
  'migrate-to-postgres',
  'authorization-matrix',
  'contents',
  'chat-streams',
  'questions',
  'search-limits',
  'replica',
  'channels',
  'inherited-names',
  'hybrid-search',
  'partner-examples',
  'usage-records',
  'search-index',
  'command-line',
  'webhook-deliveries',
  'peppers',
  'index-files',
  'document-changes',
  'webhook-events',
  'resilience',
  'backup',
  'settings-limits',
  'metadata-filter',
  'document-duplicates',
  'command-line-keys',
  'ingest-folder',
  'retention',
  'data-dir',
  'reranking',
  'sender-constraints',
  'formats',
  'local-embeddings',
  'restricted-results',
  'outgoing-redirects',
  'audit-trail',
  'webhook-secrets',
  'conversations',
  'search-understanding',
  'optional-packages',
  'client-tokens',
  'uploads',
  'kubernetes',
  'leaks',
  'doctor',
];

/** @typedef {{ path: string }} Test */

/** Jest's test sequencer: it says in which order files are begun. */
export default class SlowestFirst {
  /**
   * @template {Test} T
   * @param {T[]} tests
   * @returns {T[]} the slowest, then the rest by their size
   */
  sort(tests) {
    return tests
      .map((test) => ({ test, rank: rankOf(test), size: statSync(test.path).size }))
      .sort((one, other) => one.rank - other.rank || other.size - one.size)
      .map(({ test }) => test);
  }

  /**
   * @template {Test} T
   * @param {T[]} tests
   * @param {{ shardIndex: number, shardCount: number }} options
   */
  shard(tests, { shardIndex, shardCount }) {
    return this.sort(tests).filter((_, n) => n % shardCount === shardIndex - 1);
  }

  /** Durations are not kept: the order is the same in a fresh clone. */
  cacheResults() {}
}

/** @param {Test} test */
function rankOf({ path }) {
  const rank = SLOWEST.findIndex((name) => path.endsWith(`/${name}.e2e.ts`));
  return rank < 0 ? SLOWEST.length : rank;
}
