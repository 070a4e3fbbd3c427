/**
 * Test files that one engine runs; all others run on both. What asks the database anything that the
 * engines could answer differently stays out of these lists.
 */
export const SQLITE_ONLY = [
  // Only SQLite is searched in a thread.
  'slow-workers',
  // Answered before the database is asked: who is it, is it well-formed, which variables are wrong?
  'access-first',
  'guards',
  'pipe-and-filter',
  'modules',
  'api-key-input',
  'bodies',
  'cut-off-bodies',
  'configuration',
  'body-shapes',
  'hostile-bodies',
  'browsers',
  'cross-site',
  'dashboard-auth',
  'gateway',
  'hostile-multipart',
  'inherited-names',
  'nginx',
  'oidc',
  'oidc-keys',
  'oidc-tokens',
  'oidc-weak-keys',
  'origins',
  'start',
  'wire',
  // The contract, its pages, its clients and the benchmarks.
  'interop/agents',
  'interop/oikb',
  'bench-modules',
  'clients',
  'command-line',
  'command-line-escapes',
  'command-line-evaluate',
  'command-line-keys',
  'docs-page',
  'generators',
  'compiled-clients',
  'interop/terraform',
  'ingest-folder',
  'install-commands',
  'optional-packages',
  'open-api-examples',
  'open-webui',
  'open-api-file',
  'packages',
  'timed/proof-of-work',
  'partner-examples',
  'readme',
  'scanners',
  // Addresses, which the database only keeps.
  'source-addresses',
  'webhook-addresses',
  // Text out of files, and what models answer.
  'formats',
  'more-formats',
  'broken-files',
  'recognition-pictures',
  'wrong-languages',
  'original-pages',
  'source-kinds',
  'extraction-processes',
  'outgoing-redirects',
  'too-many-chunks',
  'injections',
  'injections-by-protocol',
  'misbehaving-models',
  'model-fallback',
  'model-installation',
  'reranking',
  'recognition-server',
  'client-leaves',
  'endpoints-away',
  'model-failures',
  'hostile-files',
  'slow-clients',
  // SQLite's own files.
  'data-dir',
  'disk',
  'foreign-keys',
  'index-files',
  // What needs no database of the tests.
  'helm',
  'kubernetes',
  'kubernetes-rotation',
  'rotation-recipes',
  'skipped-tests',
];

/**
 * What the database only keeps and gives back, as other files ask of both engines: PostgreSQL runs these
 * before a release, and behind the pooler. Those that start a service of their own were chosen by the
 * statements of their main thread: another file runs each of them, too.
 */
export const SQLITE_USUALLY = [
  // What a reader, a language or the ranking makes of a text: search-index and search-words are on both.
  'archives',
  'document-language',
  'hard-questions',
  'hidden-documents',
  'informative-sources',
  'quotes',
  'recognition',
  'recognition-languages',
  'small-talk',
  'tables',
  'text-failures',
  // What models are told and say: vector-turns, curated-answers and conversations are on both.
  'chat-models',
  'completion-limits',
  'hybrid-search',
  'local-embeddings',
  // Credentials, signatures and forms of others: guards and repositories behind them are on both.
  'authorization-matrix',
  'bearer',
  'contents-object-store',
  'github-leak-reports',
  'scim-providers',
  'source-secrets',
  'webhook-secrets',
  // Each of their statements another file runs, too,
  'example-plugin',
  'first-question',
  'guide',
  'management-key-attacks',
  'never-wider',
  'open-api',
  'roles',
  'settings',
  'telemetry',
  // Generated requests, and a plugin without statements of its own.
  'example-plugin',
  'open-api',
  // Limits, policies and retention, whose statements the files on shared services run as well.
  'audit-trail',
  'chat-counts',
  'chat-streams',
  'key-limits',
  'key-policies',
  'leak-report-limit',
  'leaks',
  'metrics',
  'playground',
  'plugins',
  'quotas',
  'refused-answers',
  'retention',
  'retention-job',
  'secrets',
  'settings-limits',
  'uploads',
  'usage-records',
  // Other people's clients, which never see the database.
  'dify',
  'mcp',
  'mcp-agents',
  'openai',
];

export const POSTGRES_ONLY = [
  // Two processes at once, or a server.
  'database-away',
  'fail-over',
  'hosts',
  'many-processes',
  'migrate-to-postgres',
  'pooler',
  'replica',
  'source-processes',
  'standby-away',
];

/** What asks most of PostgreSQL, for the oldest version that is supported. */
const OF_POSTGRES = [
  // The start, the migrations and the plans of the statements that matter.
  ...['database-start', 'migrations', 'doctor', 'lookup-plans'],
  // Searches and reports.
  ...['search-index', 'search-words', 'metadata-filter', 'analytics'],
];

/**
 * What `npm test -- short` runs, on the oldest and the newest Node.js and on the oldest PostgreSQL: how
 * JSON is read, the start, the walk, searches, and the core of the faults. SQLite is a binary, which
 * depends on Node.js more than PostgreSQL's driver does.
 */
export const SHORT = {
  unit: ['parse-json'],
  sqlite: ['start', 'smoke', 'search-index', 'formats', 'durability', 'stop'],
  postgres: ['smoke', 'durability', ...(process.env['POSTGRES_BIN_DIR'] ? OF_POSTGRES : [])],
};
