import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { AUDIENCE } from './identity-provider.js';

export const CONSOLE_CLIENT = 'latchkey-console';

/** A real OpenID provider on loopback whose pages sign in whomever is named. */
export class SignInProvider {
  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  /**
   * @param origin of the console
   * @param accessTokenSeconds how long a token lives
   */
  static async start(origin: string, accessTokenSeconds = 600): Promise<SignInProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: 'provider-1', use: 'sig', alg: 'RS256' };
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CONSOLE_CLIENT,
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          redirect_uris: [
            `${origin}/console/signed-in`,
            `${origin}/docs/signed-in`,
            `${origin}/oauth/signed-in`,
          ],
          post_logout_redirect_uris: [`${origin}/console/`],
        },
      ],
      jwks: { keys: [key] },
      scopes: ['openid', 'offline_access', 'mcp'],
      pkce: { required: () => true },
      clientBasedCORS: () => true,
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      ttl: { AccessToken: accessTokenSeconds },
      features: {
        devInteractions: { enabled: true },
        // Agents register themselves.
        registration: { enabled: true },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo: (_context, audience) => ({
            scope: 'dashboard mcp',
            audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: accessTokenSeconds,
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
    });
    const answer = provider.callback();
    server.on('request', (request, response) => void answer(request, response));
    return new SignInProvider(issuer, server);
  }

  get environment(): Record<string, string> {
    return {
      DASHBOARD_AUTH_MODE: 'oidc',
      OIDC_ISSUER: this.issuer,
      OIDC_AUDIENCE: AUDIENCE,
      CONSOLE_OIDC_CLIENT_ID: CONSOLE_CLIENT,
      CONSOLE_OIDC_RESOURCE: AUDIENCE,
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
