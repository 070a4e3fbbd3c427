import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../platform/config/config.js';
import { Problem } from '../../platform/problems/problem.js';

/** The metadata of RFC 9728. */
interface ProtectedResource {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly resource_name: string;
  readonly scopes_supported?: readonly string[];
}

/** Tells agents which identity provider signs people in for `/mcp`. */
@ApiExcludeController()
@Controller('.well-known/oauth-protected-resource')
export class ProtectedResourceController {
  constructor(private readonly config: Config) {}

  @Get('mcp')
  getMcpResource(): ProtectedResource {
    const { dashboardAuth } = this.config;
    if (dashboardAuth.mode !== 'oidc' || !dashboardAuth.agents) throw new Problem('not_found');
    const { resource, scope } = dashboardAuth.agents;
    return {
      resource,
      authorization_servers: [dashboardAuth.issuer],
      bearer_methods_supported: ['header'],
      resource_name: 'Latchkey',
      ...(scope !== undefined && { scopes_supported: [scope] }),
    };
  }

  /** Agents that only know the host look here. */
  @Get()
  getProtectedResource(): ProtectedResource {
    return this.getMcpResource();
  }
}
