import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

/** What the service is called at the identity provider. */
export const AUDIENCE = 'https://latchkey.example.com';
const CLIENT_SECRET = 'client-secret-of-the-tests';

/** Claims of the tokens of a client, beside those that the provider adds by itself. */
type ExtraClaims = Map<string, Record<string, unknown>>;

/** A real OpenID provider on loopback (`oidc-provider`, which is certified). */
export class IdentityProvider {
  private constructor(
    readonly issuer: string,
    /** By client; tokens that are given from now on have them. */
    readonly extraClaims: ExtraClaims,
    private readonly server: Server,
  ) {}

  /** @param clients each gets tokens whose `sub` is its own id */
  static async start(...clients: string[]): Promise<IdentityProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: 'provider-1', use: 'sig', alg: 'RS256' };
    const extraClaims: ExtraClaims = new Map();
    const provider = new Provider(issuer, {
      extraTokenClaims: (_context, token) => extraClaims.get(token.clientId ?? ''),
      clients: clients.map((client_id) => ({
        client_id,
        client_secret: CLIENT_SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      })),
      jwks: { keys: [key] },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, audience) => ({
            scope: 'dashboard',
            audience,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
    });
    const answer = provider.callback();
    server.on('request', (request, response) => void answer(request, response));
    return new IdentityProvider(issuer, extraClaims, server);
  }

  /** An access token as the client would get it, by the client-credentials grant. */
  async tokenFor(client: string, audience = AUDIENCE): Promise<string> {
    const response = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${client}:${CLIENT_SECRET}`).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
    });
    const { access_token: token } = (await response.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`The provider answered ${response.status}`);
    return token;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
