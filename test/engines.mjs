/**
 * Test files that one engine runs; all others run on both. What asks the database anything that the
 * engines could answer differently stays out of these lists.
 */
export const SQLITE_ONLY = [
  // Answered before the database is asked: who is it, is it well-formed, which variables are wrong?
  'access-first',
  'api-key-input',
  'bodies',
  'browsers',
  'dashboard-auth',
  'gateway',
  'inherited-names',
  'key-address-input',
  'nginx',
  'oidc',
  'oidc-keys',
  'oidc-tokens',
  'origins',
  'start',
  'start-identity',
  'wire',
  // The contract, its pages and its clients.
  'command-line',
  'docs-page',
  'ingest-folder',
  'open-api-examples',
  'open-api-file',
  'partner-examples',
  'readme',
  // Text out of files, and what models answer.
  'chat-models',
  'doctor-endpoints',
  'formats',
  'too-many-chunks',
  'model-fallback',
  'client-leaves',
  'endpoints-away',
  'model-failures',
  'hostile-files',
  'slow-clients',
  // SQLite's own files.
  'disk',
  'foreign-keys',
  'index-files',
];

export const POSTGRES_ONLY = ['database-away', 'migrate-to-postgres'];
