import { hash, randomUUID } from 'node:crypto';
import { request as send } from 'node:http';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { Answer } from './answers.js';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

interface Differences {
  readonly header?: object;
  /** `undefined` leaves a claim out. */
  readonly claims?: Record<string, unknown>;
  readonly signedBy?: KeyPair['privateKey'];
}

/** A key pair whose holder proves each request with it (RFC 9449). */
export class ProvingKey {
  private constructor(
    readonly algorithm: string,
    readonly pair: KeyPair,
    readonly jwk: JWK,
    readonly jkt: string,
  ) {}

  static async create(algorithm = 'ES256'): Promise<ProvingKey> {
    const pair = await generateKeyPair(algorithm, { extractable: true });
    const jwk = await exportJWK(pair.publicKey);
    return new ProvingKey(algorithm, pair, jwk, await calculateJwkThumbprint(jwk));
  }

  get constraint() {
    return { sender_constraint: { type: 'dpop', jkt: this.jkt } };
  }

  /** A proof of a request with a key or token, with differences from a good one. */
  prove(
    method: string,
    url: string,
    credential: string,
    { header, claims, signedBy = this.pair.privateKey }: Differences = {},
  ): Promise<string> {
    const own = {
      ...{ htm: method, htu: url, jti: randomUUID(), iat: Math.floor(Date.now() / 1000) },
      ath: hash('sha256', credential, 'base64url'),
    };
    return new SignJWT({ ...own, ...claims })
      .setProtectedHeader({ alg: this.algorithm, typ: 'dpop+jwt', jwk: this.jwk, ...header })
      .sign(signedBy);
  }
}

/**
 * Sends a request under the name of another host, as proxies that keep the name do: `fetch` sends its own.
 *
 * @param headers also several of one name
 */
export const sendAs = <T>(
  address: string,
  host: string,
  body: object,
  headers: Record<string, string | string[]>,
): Promise<Answer<T>> =>
  new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: { host, 'content-type': 'application/json', ...headers },
    };
    send(address, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(response.headers as Record<string, string>),
          body: JSON.parse(text) as T,
          text,
        });
      });
    })
      .on('error', reject)
      .end(JSON.stringify(body));
  });
