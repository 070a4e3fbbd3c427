/**
 * Test files of several rooms that also use plugins, by their names; they are left out where one of these
 * does not run. What a plugin alone promises stands in its folder.
 */
export const NEEDED_PLUGINS = {
  'access-doors': ['client-tokens', 'dify', 'mcp', 'openai-api'],
  'access-first': ['webhooks'],
  'access-rules': ['client-tokens', 'evaluations', 'originals'],
  'authorization-matrix': 'all',
  'audit-log': ['audit-stream'],
  backup: ['audit-stream', 'originals'],
  bearer: ['client-tokens', 'dify', 'mcp', 'openai-api'],
  bodies: 'all',
  'body-shapes': 'all',
  budgets: ['client-tokens', 'mcp', 'openai-api', 'webhooks'],
  'chat-counts': ['analytics'],
  'chat-models': ['openai-api'],
  clients: ['openai-api'],
  'closed-document-statements': ['originals'],
  'closed-sources': ['analytics', 'client-tokens', 'mcp', 'openai-api', 'originals', 'scim'],
  'command-line': ['webhooks'],
  'command-line-evaluate': ['evaluations'],
  'command-line-keys': ['webhooks'],
  'completion-limits': ['client-tokens', 'openai-api'],
  configuration: 'all',
  contents: ['originals'],
  'contents-object-store': ['originals'],
  conversations: ['analytics'],
  'cut-off-bodies': ['leak-reports'],
  'dashboard-auth': ['client-tokens', 'dify', 'leak-reports', 'mcp', 'openai-api'],
  doctor: ['opensearch', 'sources'],
  'end-user-limits': ['client-tokens', 'openai-api'],
  'extraction-processes': ['originals'],
  'fail-over': ['analytics'],
  feedback: ['analytics'],
  grants: ['trusted-issuers'],
  guards: ['client-tokens'],
  'hidden-documents': ['client-tokens', 'dify', 'mcp', 'openai-api'],
  'hostile-bodies': ['client-tokens'],
  'hostile-instants': ['analytics', 'gaps'],
  hosts: ['webhooks'],
  'inherited-names': 'all',
  'injections-by-protocol': ['dify', 'mcp', 'openai-api'],
  'key-view': ['client-tokens'],
  leaks: ['leak-reports'],
  'legal-hold': ['curated-answers', 'evaluations', 'sources', 'webhooks'],
  'management-key-attacks': ['client-tokens'],
  'many-processes': ['client-tokens'],
  'many-streams': ['client-tokens'],
  'mcp-conformance': ['mcp'],
  'migrate-to-postgres': ['originals', 'webhooks'],
  'missing-workers': ['analytics', 'mcp'],
  'more-formats': ['originals'],
  names: ['client-tokens', 'scim'],
  nginx: ['client-tokens', 'dify', 'leak-reports', 'mcp', 'openai-api', 'originals'],
  'open-api': 'all',
  'open-api-examples': 'all',
  'open-api-file': 'all',
  'original-links': ['client-tokens', 'dify', 'mcp', 'openai-api'],
  oidc: ['audit-stream'],
  origins: ['leak-reports'],
  'outgoing-redirects': ['openai-api'],
  packages: ['client-tokens'],
  plugins: ['analytics', 'dify', 'gaps', 'mcp', 'openai-api', 'sources'],
  playground: ['analytics', 'evaluations'],
  'prepared-names': ['dify', 'mcp', 'openai-api'],
  rankings: ['analytics'],
  'refused-answers': ['analytics'],
  'removed-members': ['curated-answers', 'evaluations', 'sources', 'trusted-issuers', 'webhooks'],
  replica: ['analytics', 'evaluations', 'gaps', 'webhooks'],
  reranking: ['dify', 'mcp', 'openai-api'],
  'restricted-keys': ['analytics'],
  'restricted-results': ['client-tokens', 'mcp', 'openai-api'],
  retention: ['analytics'],
  scim: ['scim'],
  'search-engine-away': ['opensearch'],
  'service-accounts': ['leak-reports', 'webhooks'],
  'shared-key-doors': ['dify', 'mcp', 'openai-api', 'originals'],
  'shared-key-limits': ['client-tokens'],
  'shared-keys': ['analytics', 'client-tokens'],
  'small-talk': ['analytics'],
  'source-processes': ['sources'],
  'sources-in-step': ['sources'],
  telemetry: ['originals', 'webhooks'],
  webhooks: ['webhooks'],
  wire: ['openai-api'],
};

/**
 * The names of test files that need a plugin which does not run.
 *
 * @param {(plugin: string) => boolean} isRunning
 * @returns {string[]}
 */
export function filesWithoutPlugins(isRunning) {
  const named = Object.values(NEEDED_PLUGINS).filter((plugins) => Array.isArray(plugins));
  const areAllRunning = named.flat().every(isRunning);
  return Object.entries(NEEDED_PLUGINS).flatMap(([file, plugins]) => {
    const isMet = Array.isArray(plugins) ? plugins.every(isRunning) : areAllRunning;
    return isMet ? [] : [file];
  });
}
