import { ConfigurationError } from './configuration-error.js';
import type { Environment } from './environment.js';
import { isLoopback } from './validators.js';

interface TrustConfig {
  readonly mode: 'trust';
  readonly allowAnyHost: boolean;
}

export interface GatewayConfig {
  readonly mode: 'gateway';
  /** The addresses that gateways connect from. */
  readonly cidrs: readonly string[];
  /** A gateway sends one of these secrets; two allow rotation. */
  readonly secrets: readonly string[];
}

export interface OidcConfig {
  readonly mode: 'oidc';
  readonly issuer: string;
  readonly audience: string;
  /** If undefined, it is read from the issuer's discovery document. */
  readonly jwksUrl: string | undefined;
  /** The accepted values of `azp`: the clients that tokens may be issued to. */
  readonly authorizedParties: readonly string[];
  /** The claim with the user's groups; undefined if the provider sends none. */
  readonly groupsClaim: string | undefined;
  /** The required audience and scope of agents' tokens for `/mcp`; undefined if agents need API keys. */
  readonly agents: AgentsConfig | undefined;
  /** The console as a client of the provider; undefined if it is not one. */
  readonly console: ConsoleClient | undefined;
}

export interface AgentsConfig {
  /** The address of `/mcp`, the audience of their tokens. */
  readonly resource: string;
  /** The URL of its metadata (RFC 9728). */
  readonly metadataUrl: string;
  /** The scope that their tokens must have; undefined for none. */
  readonly scope: string | undefined;
}

/** The format that the console's page reads. */
interface ConsoleClient {
  readonly client_id: string;
  readonly scope: string;
  readonly resource: string | undefined;
}

export type DashboardAuthConfig = TrustConfig | GatewayConfig | OidcConfig;

/** Returns how dashboard users are authenticated. Rejects a configuration that would trust anyone. */
export function dashboardAuthConfig(environment: Environment): DashboardAuthConfig {
  const { DASHBOARD_AUTH_MODE: mode, NODE_ENV } = environment;
  if (NODE_ENV === 'production' && !mode) {
    throw new ConfigurationError(
      'DASHBOARD_AUTH_MODE must be set in production: without it anyone could send the X-Idp-User-Id header',
    );
  }
  switch (mode ?? 'trust') {
    case 'trust':
      return trust(environment);
    case 'gateway':
      return {
        mode: 'gateway',
        cidrs: required(environment, 'TRUSTED_PROXY_CIDRS'),
        secrets: required(environment, 'GATEWAY_SECRETS'),
      };
    case 'oidc':
      return {
        mode: 'oidc',
        issuer: required(environment, 'OIDC_ISSUER'),
        audience: dashboardAudience(environment),
        jwksUrl: environment.OIDC_JWKS_URL,
        authorizedParties: authorizedParties(environment),
        groupsClaim: environment.OIDC_GROUPS_CLAIM,
        agents: agents(environment),
        console: consoleClient(environment),
      };
  }
}

function dashboardAudience(environment: Environment): string {
  const audience = required(environment, 'OIDC_AUDIENCE');
  const resource = agents(environment)?.resource;
  if (resource !== undefined && normalized(audience) === normalized(resource)) {
    throw new ConfigurationError(
      'OIDC_AUDIENCE must not be the address of /mcp, PUBLIC_URL with /mcp: the tokens of agents would open the dashboard',
    );
  }
  return audience;
}

const normalized = (address: string): string =>
  (URL.canParse(address) ? new URL(address).href : address).replace(/\/$/, '');

function authorizedParties(environment: Environment): string[] {
  const { OIDC_AUDIENCE, OIDC_AUTHORIZED_PARTIES, CONSOLE_OIDC_CLIENT_ID } = environment;
  return [OIDC_AUDIENCE, CONSOLE_OIDC_CLIENT_ID, ...OIDC_AUTHORIZED_PARTIES].filter(
    (party) => party !== undefined,
  );
}

function agents({ PUBLIC_URL, MCP_OIDC_SCOPE }: Environment): AgentsConfig | undefined {
  if (PUBLIC_URL === undefined) return undefined;
  const base = PUBLIC_URL.replace(/\/$/, '');
  return {
    resource: `${base}/mcp`,
    metadataUrl: `${base}/.well-known/oauth-protected-resource/mcp`,
    scope: MCP_OIDC_SCOPE,
  };
}

function consoleClient(environment: Environment): ConsoleClient | undefined {
  const { CONSOLE_OIDC_CLIENT_ID, CONSOLE_OIDC_SCOPE, CONSOLE_OIDC_RESOURCE } = environment;
  return CONSOLE_OIDC_CLIENT_ID === undefined
    ? undefined
    : {
        client_id: CONSOLE_OIDC_CLIENT_ID,
        scope: CONSOLE_OIDC_SCOPE,
        resource: CONSOLE_OIDC_RESOURCE,
      };
}

function trust({ NODE_ENV, HOST, DASHBOARD_AUTH_TRUST_UNSAFE }: Environment): TrustConfig {
  const unsafe = DASHBOARD_AUTH_TRUST_UNSAFE === 'yes';
  if (!unsafe && (NODE_ENV === 'production' || !isLoopback(HOST))) {
    throw new ConfigurationError(
      'DASHBOARD_AUTH_MODE=trust takes the X-Idp-User-Id header from anyone, so it starts only with a loopback HOST and outside production; DASHBOARD_AUTH_TRUST_UNSAFE=yes overrides this',
    );
  }
  return { mode: 'trust', allowAnyHost: unsafe };
}

function required<K extends keyof Environment>(
  environment: Environment,
  name: K,
): NonNullable<Environment[K]> {
  const value = environment[name];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) {
    throw new ConfigurationError(
      `${name} must be set with DASHBOARD_AUTH_MODE=${environment.DASHBOARD_AUTH_MODE ?? ''}`,
    );
  }
  return value;
}
