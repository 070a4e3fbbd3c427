import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/config.js';
import { declareProviders } from '../../platform/discovery/declared-providers.js';
import { findOwnAddress } from '../../platform/http/own-address.js';

/** Gives tokens for `/mcp`. */
export interface AuthorizationServer {
  /** The scopes that its tokens can have. */
  readonly scopes: readonly string[];
}

/** Declares the provider that gives tokens for `/mcp` at the service's own address. */
export const IsAuthorizationServer = declareProviders<AuthorizationServer>();

/** The metadata of RFC 9728. */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly resource_name: string;
  readonly scopes_supported?: readonly string[];
}

/** Knows who gives agents tokens for `/mcp`. */
@Injectable()
export class ProtectedResource implements OnModuleInit {
  private own: AuthorizationServer | undefined;

  constructor(
    private readonly config: Config,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.own = IsAuthorizationServer.find(this.discovery)[0]?.instance;
  }

  /** The address of its metadata, and the scope to ask for; undefined where only API keys are taken. */
  describe(
    request: FastifyRequest,
  ): { readonly metadataUrl: string; readonly scope: string | undefined } | undefined {
    const { agents } = this;
    const base = this.findBase(request);
    const metadataUrl =
      agents?.metadataUrl ??
      (base === undefined ? undefined : `${base}/.well-known/oauth-protected-resource/mcp`);
    return metadataUrl === undefined ? undefined : { metadataUrl, scope: agents?.scope };
  }

  /** @returns undefined where only API keys are taken */
  findMetadata(request: FastifyRequest): ResourceMetadata | undefined {
    const { agents } = this;
    const { dashboardAuth } = this.config;
    const base = this.findBase(request);
    const provider = agents && dashboardAuth.mode === 'oidc' ? [dashboardAuth.issuer] : [];
    const own = base === undefined ? [] : [base];
    // Agents go to the first. A scope is set where the provider is to sign them in.
    const servers = agents?.scope === undefined ? [...own, ...provider] : [...provider, ...own];
    const resource = agents?.resource ?? `${base ?? ''}/mcp`;
    if (servers.length === 0) return undefined;
    const scopes =
      agents?.scope !== undefined ? [agents.scope] : own.length > 0 ? this.own?.scopes : [];
    return {
      resource,
      authorization_servers: servers,
      bearer_methods_supported: ['header'],
      resource_name: 'Latchkey',
      ...(scopes && scopes.length > 0 && { scopes_supported: scopes }),
    };
  }

  /** The tokens of the identity provider; undefined if it gives none for `/mcp`. */
  private get agents() {
    const { dashboardAuth } = this.config;
    return dashboardAuth.mode === 'oidc' ? dashboardAuth.agents : undefined;
  }

  /** The address of the service as an authorization server; undefined where it is none. */
  private findBase(request: FastifyRequest): string | undefined {
    return this.own && findOwnAddress(this.config, request);
  }
}
