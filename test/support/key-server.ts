import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';

const DISCOVERY = '/.well-known/openid-configuration';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

export async function newSigningKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

/** Seconds from now, as tokens count them. */
export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/**
 * Stands in for an identity provider where the test must say what the provider would never do:
 * serves discovery and keys on loopback, counts how often, and can be away.
 */
export class KeyServer {
  /** How often the keys were read. */
  reads = 0;
  /** How often discovery was asked where they are. */
  discoveries = 0;
  /** Answers 500 while false. */
  up = true;
  /** What discovery says instead of the truth. */
  discovery: Record<string, unknown> = {};

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    public keys: SigningKey[],
  ) {}

  static async start(...keys: SigningKey[]): Promise<KeyServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const keyServer = new KeyServer(server, `http://127.0.0.1:${port}`, keys);
    server.on('request', (request, response) => {
      const body = keyServer.answer(String(request.url));
      response.writeHead(body ? 200 : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? {}));
    });
    return keyServer;
  }

  get jwksUrl(): string {
    return `${this.issuer}/keys`;
  }

  private answer(path: string): object | undefined {
    if (path === '/keys') this.reads++;
    if (path === DISCOVERY) this.discoveries++;
    if (!this.up) return undefined;
    if (path === '/keys') return { keys: this.keys.map(({ publicJwk }) => publicJwk) };
    if (path !== DISCOVERY) return undefined;
    return { issuer: this.issuer, jwks_uri: this.jwksUrl, ...this.discovery };
  }

  /** A good token for Alice but for what is given; `undefined` leaves a claim or header out. */
  async token(
    key: SigningKey,
    claims: JWTPayload = {},
    header: Partial<JWTHeaderParameters> = {},
  ): Promise<string> {
    const all = { iss: this.issuer, aud: 'latchkey', sub: 'alice', exp: inSeconds(300), ...claims };
    return new SignJWT(all)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
