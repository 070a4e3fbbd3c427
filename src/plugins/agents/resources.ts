import { type ApiKeyScope, CLIENT_TOKEN_SCOPES } from '../../api-keys/scope.js';

/** What tokens can be for: the paths below the service's address. */
export const RESOURCES = ['mcp', 'v1', 'api/v1/chat', 'api/v1'] as const;

export type ResourceName = (typeof RESOURCES)[number];

/**
 * The resource that a resource indicator names (RFC 8707).
 *
 * @param base the service's address, without a slash at its end
 */
export function toResourceName(base: string, indicator: string): ResourceName | undefined {
  const resource = indicator.replace(/\/$/, '');
  return RESOURCES.find((name) => resource === `${base}/${name}`);
}

/** Whether a token for a resource may be used at a path. */
export const covers = (resource: ResourceName, path: string): boolean =>
  path === `/${resource}` || path.startsWith(`/${resource}/`);

/** The scopes of agents among the words of a text. */
export function parseScopes(text: unknown): ApiKeyScope[] {
  const named = typeof text === 'string' ? text.split(' ') : [];
  return CLIENT_TOKEN_SCOPES.filter((scope) => named.includes(scope));
}
