import { createPrivateKey, generateKeyPairSync, hash, randomUUID, sign } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';

/** @typedef {import('node:crypto').JsonWebKey} JsonWebKey */
/** @typedef {{ alg: string, privateJwk: JsonWebKey, publicJwk: JsonWebKey }} Signer */

/**
 * A key pair whose proofs requests need, and its thumbprint.
 *
 * @param {'ES256' | 'RS256'} alg
 */
export async function createSigner(alg) {
  const { privateKey, publicKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicJwk = publicKey.export({ format: 'jwk' });
  const jkt = await calculateJwkThumbprint(/** @type {import('jose').JWK} */ (publicJwk));
  return { jkt, signer: { alg, privateJwk: privateKey.export({ format: 'jwk' }), publicJwk } };
}

/** Gives each request of autocannon a proof of its own, with the nonce of the last answer that had one. */
export class Prover {
  /** @type {string | undefined} */
  nonce;

  /**
   * @param {Signer} signer
   * @param {string} url
   */
  constructor({ alg, privateJwk, publicJwk }, url) {
    this.url = url;
    this.header = encode({ typ: 'dpop+jwt', alg, jwk: publicJwk });
    const key = createPrivateKey({ key: privateJwk, format: 'jwk' });
    this.key = { key, dsaEncoding: /** @type {const} */ ('ieee-p1363') };
  }

  /**
   * @param {string} secret
   * @returns {Pick<import('autocannon').Request, 'setupRequest' | 'onResponse'>}
   */
  toHooks(secret) {
    const ath = hash('sha256', secret, 'base64url');
    return {
      setupRequest: (request) => ({
        ...request,
        headers: { ...request.headers, dpop: this.prove(ath) },
      }),
      onResponse: (_status, _body, _context, headers) => {
        const { 'dpop-nonce': nonce } = /** @type {Record<string, string>} */ (headers ?? {});
        this.nonce = nonce ?? this.nonce;
      },
    };
  }

  /** @param {string} ath */
  prove(ath) {
    const { url: htu, nonce } = this;
    const iat = Math.floor(Date.now() / 1000);
    const signed = `${this.header}.${encode({ htm: 'POST', htu, ath, nonce, iat, jti: randomUUID() })}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), this.key).toString('base64url')}`;
  }
}

/** @param {object} value */
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
