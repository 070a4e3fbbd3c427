type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A key pair of WebCrypto: ECDSA with P-256, Ed25519 or RSA. */
export interface ProvingKeyPair {
  /** It need not be extractable. */
  readonly privateKey: Key;
  readonly publicKey: Key;
}

type SignAlgorithm = Exclude<Parameters<typeof crypto.subtle.sign>[0], string>;

/** By the name of a key's algorithm in WebCrypto: its name in a JWT, and how to sign. */
const ALGORITHMS: Record<string, readonly [name: string, sign: SignAlgorithm & object]> = {
  ECDSA: ['ES256', { name: 'ECDSA', hash: 'SHA-256' }],
  Ed25519: ['EdDSA', { name: 'Ed25519' }],
  'RSASSA-PKCS1-v1_5': ['RS256', { name: 'RSASSA-PKCS1-v1_5' }],
  'RSA-PSS': ['PS256', { name: 'RSA-PSS', saltLength: 32 }],
};

/** Makes proofs (RFC 9449) of a key pair for requests, with the nonces that the service gives. */
export class Prover {
  private nonce: string | undefined;

  constructor(private readonly pair: ProvingKeyPair) {}

  /** The header `DPoP` of one request. */
  async prove(method: string, url: string, credential: string): Promise<string> {
    const { privateKey, publicKey } = this.pair;
    const [alg, algorithm] = ALGORITHMS[privateKey.algorithm.name] ?? [];
    if (alg === undefined || algorithm === undefined) {
      throw new TypeError(`${privateKey.algorithm.name} makes no proofs`);
    }
    const header = { typ: 'dpop+jwt', alg, jwk: await exportPublic(publicKey) };
    const claims = {
      ...{ htm: method, htu: url.replace(/[?#].*/s, ''), ath: await sha256(credential) },
      ...{ jti: crypto.randomUUID(), iat: Math.floor(Date.now() / 1000), nonce: this.nonce },
    };
    const signed = `${encodeJson(header)}.${encodeJson(claims)}`;
    const signature = await crypto.subtle.sign(
      algorithm,
      privateKey,
      new TextEncoder().encode(signed),
    );
    return `${signed}.${encode(new Uint8Array(signature))}`;
  }

  /**
   * Remembers the nonce of a response for the next proof.
   *
   * @returns whether the request was refused for want of it, and should be repeated
   */
  takeNonce({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
    this.nonce = headers.get('dpop-nonce') ?? this.nonce;
    return status === 401 && /use_dpop_nonce/.test(headers.get('www-authenticate') ?? '');
  }
}

/** The thumbprint (RFC 7638) of a public key, which goes into `sender_constraint.jkt`. */
export const thumbprint = async (publicKey: Key): Promise<string> =>
  sha256(JSON.stringify(await exportPublic(publicKey)));

/** The members that the thumbprint is of, in its order; those that the kind of key lacks are undefined. */
async function exportPublic(key: Key): Promise<object> {
  const { crv, e, kty, n, x, y } = await crypto.subtle.exportKey('jwk', key);
  return { crv, e, kty, n, x, y };
}

const encodeJson = (value: object) => encode(new TextEncoder().encode(JSON.stringify(value)));

const encode = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const sha256 = async (text: string) =>
  encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
