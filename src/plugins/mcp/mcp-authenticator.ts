import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  ApiKeyAuthenticator,
  type ApiKeyRequest,
  partnerRoute,
} from '../../api-keys/api-key-authenticator.js';
import { DashboardIdentity } from '../../knowledge-bases/dashboard-auth/dashboard-identity.js';
import type { DashboardRequest } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Config } from '../../platform/config/config.js';
import type { AgentsConfig } from '../../platform/config/dashboard-auth-config.js';
import { Problem } from '../../platform/problems/problem.js';

export type McpRequest = ApiKeyRequest & DashboardRequest;

/**
 * Authenticates calls of `/mcp` by an API key or, if the identity provider issues tokens for it, by a person's
 * token. The challenge of a refusal tells agents how to sign their person in.
 */
@Injectable()
export class McpAuthenticator {
  private readonly agents: AgentsConfig | undefined;

  constructor(
    private readonly identity: DashboardIdentity,
    private readonly apiKeys: ApiKeyAuthenticator,
    { dashboardAuth }: Config,
  ) {
    this.agents = dashboardAuth.mode === 'oidc' ? dashboardAuth.agents : undefined;
  }

  /**
   * Authenticates requests before their body is read.
   *
   * @throws Problem as `authenticate`
   */
  async authenticateByHeader(request: McpRequest, reply: FastifyReply): Promise<void> {
    if (partnerRoute(request)?.agents !== true) return;
    await this.authenticate(request, reply);
  }

  /** @throws Problem as ApiKeyAuthenticator's, `invalid_groups` or `identity_provider_unavailable` */
  async authenticate(request: McpRequest, reply: FastifyReply): Promise<void> {
    if (request.apiKey ?? request.dashboardUser) return;
    try {
      const person = await this.identity.authenticateAgent?.(request);
      if (person) request.dashboardUser = person;
      else await this.apiKeys.authenticate(request, reply);
    } catch (error) {
      throw this.withChallenge(error, request.headers.authorization !== undefined);
    }
  }

  /** Builds the challenge of RFC 6750 and RFC 9728. */
  private withChallenge(error: unknown, hasCredential: boolean): unknown {
    if (!this.agents || !(error instanceof Problem)) return error;
    const { metadataUrl, scope } = this.agents;
    const status = error.getStatus();
    if (status !== 401 && error.code !== 'insufficient_scope') return error;
    const parameters = {
      ...(status === 403 && { error: 'insufficient_scope' }),
      ...(status === 401 && hasCredential && { error: 'invalid_token' }),
      ...(scope !== undefined && { scope }),
      resource_metadata: metadataUrl,
    };
    const listed = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
    const headers = { 'www-authenticate': `Bearer ${listed.join(', ')}` };
    return error.code === 'dashboard_authentication_required'
      ? new Problem('invalid_api_key', {
          detail: 'The token is not valid for this service.',
          headers,
        })
      : error.with({ headers });
  }
}
