import { entities } from './entities.js';
import type { Config } from './platform/config/config.js';
import { ConfigurationError } from './platform/config/configuration-error.js';
import type { Entities } from './platform/database/data-source-options.js';
import type { Webhooks } from './platform/openapi/open-api.js';
import { choosePlugins } from './platform/plugins/choose-plugins.js';
import type { LoadedPlugin, Plugin } from './platform/plugins/plugin.js';
import { requireCompatible } from './platform/plugins/require-compatible.js';

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
  evaluations: () => import('./plugins/evaluations/evaluations.plugin.js'),
  gaps: () => import('./plugins/gaps/gaps.plugin.js'),
  'leak-reports': () => import('./plugins/leak-reports/leak-reports.plugin.js'),
  mcp: () => import('./plugins/mcp/mcp.plugin.js'),
  'openai-api': () => import('./plugins/openai-api/openai-api.plugin.js'),
  'trusted-issuers': () => import('./plugins/trusted-issuers/trusted-issuers.plugin.js'),
  scim: () => import('./plugins/scim/scim.plugin.js'),
  sources: () => import('./plugins/sources/sources.plugin.js'),
  webhooks: () => import('./plugins/webhooks/webhooks.plugin.js'),
};

/**
 * Loads the plugins that run.
 *
 * @param given the value of PLUGINS; empty means all
 * @throws ConfigurationError for unknown names and plugins that cannot run together
 */
export async function loadPlugins(given: readonly string[] = []): Promise<LoadedPlugin[]> {
  const plugins: LoadedPlugin[] = [];
  const chosen = choosePlugins(Object.keys(PLUGINS), given);
  for (const [name, load] of Object.entries(PLUGINS)) {
    if (chosen.includes(name)) plugins.push({ ...(await load()).plugin, name });
  }
  requireCompatible(plugins);
  return plugins;
}

/** Variables without effect unless their plugin runs. */
const PLUGIN_VARIABLES = { AUDIT_LOG: 'audit-stream' } as const;

/** @throws ConfigurationError for a variable of a plugin that does not run */
export function requirePluginsOf(config: Config, plugins: readonly LoadedPlugin[]): void {
  for (const [variable, name] of Object.entries(PLUGIN_VARIABLES) as [keyof Config, string][]) {
    if (config[variable] === undefined || plugins.some((plugin) => plugin.name === name)) continue;
    throw new ConfigurationError(
      `${variable} is set, but PLUGINS leaves out the plugin ${name}, which needs it`,
    );
  }
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

/** The classes of all tables, for commands that look at a whole database. */
export const listAllEntities = async (): Promise<Entities> => listEntities(await loadPlugins());
