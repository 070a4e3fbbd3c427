import { entities } from './entities.js';
import { Config } from './platform/config/config.js';
import { ConfigurationError } from './platform/config/configuration-error.js';
import type { Entities } from './platform/database/data-source-options.js';
import type { Webhooks } from './platform/openapi/open-api.js';
import { choosePlugins } from './platform/plugins/choose-plugins.js';
import type { LoadedPlugin, Plugin } from './platform/plugins/plugin.js';
import { requireCompatiblePlugins } from './platform/plugins/require-compatible-plugins.js';

/**
 * Every plugin by its name: the one file that names them. A plugin that does not run is not even loaded.
 * A plugin may import only those above it.
 */
const PLUGINS: Readonly<Record<string, () => Promise<{ readonly plugin: Plugin }>>> = {
  analytics: () => import('./plugins/analytics/analytics.plugin.js'),
  'audit-stream': () => import('./plugins/audit-stream/audit-stream.plugin.js'),
  'client-tokens': () => import('./plugins/client-tokens/client-tokens.plugin.js'),
  'curated-answers': () => import('./plugins/curated-answers/curated-answers.plugin.js'),
  dify: () => import('./plugins/dify/dify.plugin.js'),
  'document-versions': () => import('./plugins/document-versions/document-versions.plugin.js'),
  evaluations: () => import('./plugins/evaluations/evaluations.plugin.js'),
  gaps: () => import('./plugins/gaps/gaps.plugin.js'),
  invitations: () => import('./plugins/invitations/invitations.plugin.js'),
  'key-holders': () => import('./plugins/key-holders/key-holders.plugin.js'),
  'leak-reports': () => import('./plugins/leak-reports/leak-reports.plugin.js'),
  mcp: () => import('./plugins/mcp/mcp.plugin.js'),
  'openai-api': () => import('./plugins/openai-api/openai-api.plugin.js'),
  opensearch: () => import('./plugins/opensearch/opensearch.plugin.js'),
  originals: () => import('./plugins/originals/originals.plugin.js'),
  portal: () => import('./plugins/portal/portal.plugin.js'),
  'read-replica': () => import('./plugins/read-replica/read-replica.plugin.js'),
  'sender-constraints': () => import('./plugins/sender-constraints/sender-constraints.plugin.js'),
  'service-accounts': () => import('./plugins/service-accounts/service-accounts.plugin.js'),
  'trusted-issuers': () => import('./plugins/trusted-issuers/trusted-issuers.plugin.js'),
  agents: () => import('./plugins/agents/agents.plugin.js'),
  scim: () => import('./plugins/scim/scim.plugin.js'),
  sources: () => import('./plugins/sources/sources.plugin.js'),
  'open-webui': () => import('./plugins/open-webui/open-webui.plugin.js'),
  'suggested-questions': () =>
    import('./plugins/suggested-questions/suggested-questions.plugin.js'),
  sites: () => import('./plugins/sites/sites.plugin.js'),
  channels: () => import('./plugins/channels/channels.plugin.js'),
  webhooks: () => import('./plugins/webhooks/webhooks.plugin.js'),
};

/** Variables that would be ignored without a plugin. */
const VARIABLES = [
  { variable: 'AUDIT_LOG', plugin: 'audit-stream' },
  { variable: 'DATABASE_REPLICA_URL', plugin: 'read-replica' },
  { variable: 'SEARCH_URL', plugin: 'opensearch' },
] as const;

/**
 * Loads the plugins that run.
 *
 * @throws ConfigurationError for unknown names, plugins that cannot run together, and variables whose
 *   plugin does not run
 */
export async function loadPlugins(config: Config): Promise<LoadedPlugin[]> {
  const plugins: LoadedPlugin[] = [];
  const chosen = choosePlugins(Object.keys(PLUGINS), config.PLUGINS);
  for (const { variable, plugin } of VARIABLES) {
    if (!config[variable]?.length || chosen.includes(plugin)) continue;
    throw new ConfigurationError(
      `${variable} needs the plugin ${plugin}, which PLUGINS leaves out`,
    );
  }
  for (const [name, load] of Object.entries(PLUGINS)) {
    if (chosen.includes(name)) plugins.push({ ...(await load()).plugin, name });
  }
  requireCompatiblePlugins(plugins, entities);
  return plugins;
}

/** What these plugins send, for the OpenAPI document. */
export const listWebhooks = (plugins: readonly Plugin[]): Webhooks =>
  plugins
    .flatMap(({ describeWebhooks }) => describeWebhooks?.() ?? [])
    .reduce<Webhooks>(
      (all, one) => ({
        events: { ...all.events, ...one.events },
        parameters: { ...all.parameters, ...one.parameters },
        responses: { ...all.responses, ...one.responses },
      }),
      { events: {}, parameters: {}, responses: {} },
    );

/** The classes of the core's tables and of these plugins'. */
export const listEntities = (plugins: readonly Plugin[]): Entities => [
  ...entities,
  ...plugins.flatMap((plugin) => plugin.entities ?? []),
];

/** For commands that look at a whole database, in which plugins that do not run have tables too. */
export const loadAllPlugins = (): Promise<LoadedPlugin[]> =>
  loadPlugins(Config.fromEnvironment({}));

/** The classes of all tables. */
export const listAllEntities = async (): Promise<Entities> => listEntities(await loadAllPlugins());
