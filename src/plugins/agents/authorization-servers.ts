import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { Configuration, errors, JWK, KoaContextWithOIDC } from 'oidc-provider';
import { CLIENT_TOKEN_SCOPES } from '../../api-keys/scope.js';
import { Config } from '../../platform/config/config.js';
import { clientIp } from '../../platform/config/ip-address.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import { isStorableText } from '../../platform/http/text.js';
import { Problem } from '../../platform/problems/problem.js';
import { findOwnAddress } from '../../platform/http/own-address.js';
import { type AuthorizationServer, IsAuthorizationServer } from '../mcp/protected-resource.js';
import { AgentConnections } from './agent-connections.js';
import { TOKEN_PREFIX } from './agent-tokens.js';
import { ClientDocuments } from './client-documents.js';
import { JWT_BEARER, normalizeClient } from './client-metadata.js';
import { IdentityAssertions } from './identity-assertions.js';
import { OAuthStore } from './oauth-store.js';
import { renderFailure } from './pages.js';
import { parseScopes, toResourceName } from './resources.js';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
/** In seconds. What the page needs is kept for half an hour; a grant ends with its connection. */
const LIFETIMES = {
  AccessToken: 15 * MINUTE,
  AuthorizationCode: MINUTE,
  RefreshToken: 30 * DAY,
  Interaction: 30 * MINUTE,
  Session: 5 * MINUTE,
  Grant: 3650 * DAY,
};

/** The metadata that concerns agents; the others are of OpenID Connect. */
const METADATA = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'response_types_supported',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'authorization_response_iss_parameter_supported',
  'client_id_metadata_document_supported',
];

/** On loopback, each name and port by which the service is reached is an issuer. */
const MAX_SERVERS = 8;

/** The authorization server at one address of the service. */
export interface Server {
  /** Its issuer, without a slash at its end. */
  readonly base: string;
  readonly provider: Provider;
  readonly callback: ReturnType<Provider['callback']>;
}

type Library = typeof import('oidc-provider');

/**
 * The authorization server of `/mcp`: `oidc-provider`, which speaks the protocol, with its storage in our
 * tables. It is loaded when the first agent asks, so that the service starts without it.
 */
@Injectable()
@IsAuthorizationServer()
export class AuthorizationServers implements AuthorizationServer {
  readonly scopes = CLIENT_TOKEN_SCOPES;
  private readonly logger = new Logger(AuthorizationServers.name);
  private readonly servers = new Map<string, Promise<Server>>();
  private readonly cookieKeys: string[];
  /** The clients' addresses, which `oidc-provider` would read from headers. */
  private readonly addresses = new WeakMap<IncomingMessage, string>();

  constructor(
    private readonly config: Config,
    private readonly store: OAuthStore,
    private readonly connections: AgentConnections,
    private readonly documents: ClientDocuments,
    private readonly assertions: IdentityAssertions,
    peppers: Peppers,
  ) {
    this.cookieKeys = peppers
      .derive('latchkey cookies of connecting agents')
      .map(({ key }) => key.export().toString('base64url'));
  }

  /** @throws Problem `not_found` where the service does not know its own address */
  async find(request: FastifyRequest): Promise<Server> {
    const base = findOwnAddress(this.config, request);
    if (base === undefined) {
      throw new Problem('not_found', {
        detail: 'Agents can be connected where PUBLIC_URL is set, and at addresses on loopback.',
      });
    }
    const server = this.servers.get(base) ?? this.create(base);
    // The least recently used one is removed first.
    this.servers.delete(base);
    this.servers.set(base, server);
    const [oldest] = this.servers.keys();
    if (oldest !== undefined && this.servers.size > MAX_SERVERS) this.servers.delete(oldest);
    try {
      return await server;
    } catch (error) {
      this.servers.delete(base);
      throw error;
    }
  }

  /** Lets the authorization server answer a request, whose body is not read yet. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const server = await this.find(request);
    const { raw } = request;
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    prepare(request, server.base);
    reply.hijack();
    this.addresses.set(raw, clientIp(request));
    await server.callback(raw, reply.raw);
  }

  private async create(base: string): Promise<Server> {
    const library = await import('oidc-provider');
    const provider = new library.default(base, this.configure(base, library));
    // The library then takes the issuer's protocol from the header that `prepare` sets.
    provider.proxy = true;
    prefixTokens(provider.AccessToken.prototype as unknown as TokenModel);
    provider.use(async (context, next) => {
      await next();
      const { oidc } = context as { oidc?: { readonly route: string } };
      if (oidc?.route !== 'discovery') return;
      const body = context.body as Record<string, unknown>;
      context.body = {
        ...Object.fromEntries(METADATA.map((name) => [name, body[name]])),
        response_modes_supported: ['query'],
        scopes_supported: CLIENT_TOKEN_SCOPES,
      };
    });
    provider.registerGrantType(
      JWT_BEARER,
      (context) => this.redeemAssertion(base, provider, library, context),
      ['assertion', 'audience', 'scope', 'resource'],
    );
    provider.on('server_error', (_, error) => {
      this.logger.error(error);
    });
    return { base, provider, callback: provider.callback() };
  }

  /** Gives a client an access token for an assertion of a trusted issuer (ID-JAG). */
  private async redeemAssertion(
    base: string,
    provider: Provider,
    { errors }: Library,
    context: KoaContextWithOIDC,
  ): Promise<void> {
    const { client, params = {} } = context.oidc;
    if (!client) throw new errors.InvalidClient('the client is not known');
    const ip = this.addresses.get(context.req) ?? '';
    const { clientId, clientName } = client;
    const redeemed = await this.assertions
      .redeem({ base, ip, params, client: { id: clientId, name: clientName } })
      .catch((error: unknown) => {
        if (error instanceof Problem && error.getStatus() < 500)
          throw new errors.InvalidGrant(error.detail);
        throw error;
      });
    const { connectionId, resource, scopes } = redeemed;
    const grant = new provider.Grant({ accountId: connectionId, clientId });
    grant.jti = connectionId;
    grant.addResourceScope(`${base}/${resource}`, scopes.join(' '));
    await grant.save();
    const token = new provider.AccessToken({
      accountId: connectionId,
      client,
      grantId: connectionId,
      gty: 'jwt_bearer',
    });
    const server = toResourceServer(base, `${base}/${resource}`, errors);
    token.resourceServer = new provider.ResourceServer(`${base}/${resource}`, server);
    token.scope = scopes.join(' ');
    context.body = {
      access_token: await token.save(),
      token_type: 'Bearer',
      expires_in: token.expiration,
      scope: token.scope,
    };
  }

  private configure(base: string, { errors, interactionPolicy }: Library): Configuration {
    const refuse = (reason: string) => new errors.InvalidGrant(reason);
    const path = new URL(base).pathname.replace(/\/$/, '');
    return {
      adapter: (model) =>
        this.store.createAdapter(model, refuse, (id) => this.documents.findOnLoopback(base, id)),
      // The library needs a key. Nothing is signed: tokens are looked up.
      jwks: { keys: [createSigningKey()] },
      clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
      scopes: [],
      claims: {},
      responseTypes: ['code'],
      clientAuthMethods: ['none'],
      cookies: { keys: this.cookieKeys },
      routes: {
        authorization: '/oauth/authorize',
        token: '/oauth/token',
        registration: '/oauth/register',
        revocation: '/oauth/revoke',
        jwks: '/oauth/jwks',
      },
      ttl: LIFETIMES,
      formats: { bitsOfOpaqueRandomness: 256 },
      pkce: { required: () => true },
      rotateRefreshToken: true,
      issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
      expiresWithSession: () => false,
      clientBasedCORS: () => true,
      extraClientMetadata: {
        // A name of ours, by which the library hands each new client over.
        properties: ['latchkey'],
        validator: (_context, _name, _value, metadata) => {
          normalizeClient(metadata);
        },
      },
      fetch: (url) => this.documents.fetch(base, url instanceof Request ? url.url : url.toString()),
      interactions: {
        url: (_, { uid }) => `${path}/oauth/connect/${uid}`,
        policy: interactionPolicy.base(),
      },
      findAccount: async (_, id) =>
        (await this.connections.isUsable(id))
          ? { accountId: id, claims: () => ({ sub: id }) }
          : undefined,
      renderError: (context, { error, error_description: description }) => {
        context.type = 'html';
        context.body = renderFailure(description ?? error);
      },
      features: {
        devInteractions: { enabled: false },
        dPoP: { enabled: false },
        pushedAuthorizationRequests: { enabled: false },
        rpInitiatedLogout: { enabled: false },
        userinfo: { enabled: false },
        registration: { enabled: true, issueRegistrationAccessToken: false },
        revocation: {
          enabled: true,
          allowedPolicy: (_, client, token) => token.clientId === client.clientId,
        },
        clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => {
            throw new errors.InvalidTarget('resource is required');
          },
          useGrantedResource: () => true,
          getResourceServerInfo: (_, indicator) => toResourceServer(base, indicator, errors),
        },
      },
    };
  }
}

/** What types of the library leave out. */
interface TokenModel {
  generateTokenId: (this: TokenModel) => string;
}

/** Lets everybody see what a token is, such as programs that look for leaked secrets. */
function prefixTokens(model: TokenModel): void {
  const { generateTokenId } = model;
  model.generateTokenId = function () {
    return TOKEN_PREFIX + generateTokenId.call(this);
  };
}

const createSigningKey = (): JWK => ({
  ...(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK),
  alg: 'EdDSA',
});

function toResourceServer(base: string, indicator: string, { InvalidTarget }: typeof errors) {
  const audience = toResourceName(base, indicator);
  if (audience === undefined) throw new InvalidTarget('the resource is not of this service');
  return {
    audience,
    scope: CLIENT_TOKEN_SCOPES.join(' '),
    accessTokenFormat: 'opaque' as const,
    accessTokenTTL: LIFETIMES.AccessToken,
  };
}

/**
 * Makes a request one to the issuer's address, whatever a proxy has made of it. Each connection begins with
 * its page: a session of an earlier one is not continued.
 */
function prepare({ raw }: FastifyRequest, base: string): void {
  const { host, pathname, protocol } = new URL(base);
  const { headers } = raw;
  headers.host = host;
  headers['x-forwarded-host'] = host;
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers.cookie = headers.cookie
    ?.split(/;\s*/)
    .filter((cookie) => !/^_session/.test(cookie))
    .join('; ');
  const url = correctAuthorizeUrl(raw.url ?? '/');
  raw.url = url;
  Object.assign(raw, { originalUrl: pathname.replace(/\/$/, '') + url });
}

/**
 * Asks for all scopes where none that exists is asked for: “openid” alone would open nothing. Errors come to the
 * page or as a query only: a client that nobody has agreed to could otherwise send people on at once.
 */
function correctAuthorizeUrl(address: string): string {
  const at = address.indexOf('?');
  const path = at < 0 ? address : address.slice(0, at);
  if (path !== '/oauth/authorize') return address;
  const parameters = new URLSearchParams(at < 0 ? '' : address.slice(at + 1));
  if ([...parameters].flat().some((one) => !isStorableText(one))) {
    throw new Problem('validation_failed', {
      detail: 'The address has a character that no text has.',
    });
  }
  const scopes = parseScopes(parameters.get('scope'));
  parameters.set('scope', (scopes.length > 0 ? scopes : CLIENT_TOKEN_SCOPES).join(' '));
  parameters.delete('prompt');
  parameters.delete('response_mode');
  return `${path}?${parameters.toString()}`;
}
