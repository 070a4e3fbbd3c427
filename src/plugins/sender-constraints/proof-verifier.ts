import { hash } from 'node:crypto';
import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import { hasEscapedClaim } from '@latchkey/text/parse-json';
import { Problem } from '../../platform/problems/problem.js';
import { toProofAddress } from './proof-address.js';

/** `Ed25519` is what RFC 9864 calls EdDSA with this curve. */
export const ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256'];
const JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const MAX_LENGTH = 8192;
const MAX_CLOCK_SECONDS = 300;
const MAX_KEYS = 1000;

/** What a proof must be for. */
export interface Expected {
  /** The thumbprint of the key that the credential is bound to. */
  readonly jkt: string;
  readonly credential: string;
  readonly method: string;
  /** By toProofAddress. */
  readonly address: string;
}

export interface Proof {
  /** Of the key and of the proof's `jti`: the same for a proof that is sent again. */
  readonly id: string;
  readonly nonce: string | undefined;
}

type ProofKey = Awaited<ReturnType<typeof importJWK>>;

/** Verifies proofs, except that they are used once. */
export class ProofVerifier {
  /** Keys by the headers of proofs that were verified, which a client repeats in each one. */
  private readonly keys = new Map<string, { readonly jkt: string; readonly key: ProofKey }>();

  /**
   * @param now in milliseconds
   * @throws Problem `invalid_proof`
   */
  async verify(proof: string, expected: Expected, now = Date.now()): Promise<Proof> {
    if (proof.length > MAX_LENGTH || !JWS.test(proof) || hasEscapedClaim(proof)) {
      throw refused('The header DPoP must be sent once, with one signed JWT of at most 8 KiB.');
    }
    const [header = ''] = proof.split('.', 1);
    const { jkt, key } = this.keys.get(header) ?? (await readKey(proof));
    if (jkt !== expected.jkt) {
      throw refused('The proof is signed by another key than the one in sender_constraint.');
    }
    const claims = await verifySignature(proof, key);
    this.remember(header, jkt, key);
    return checkClaims(claims, expected, now);
  }

  private remember(header: string, jkt: string, key: ProofKey): void {
    if (this.keys.has(header)) return;
    const [oldest] = this.keys.keys();
    if (oldest !== undefined && this.keys.size >= MAX_KEYS) this.keys.delete(oldest);
    this.keys.set(header, { jkt, key });
  }
}

const refused = (detail: string) => new Problem('invalid_proof', { detail });

async function readKey(proof: string): Promise<{ jkt: string; key: ProofKey }> {
  try {
    const { jwk, alg, typ } = decodeProtectedHeader(proof);
    if (typ === 'dpop+jwt' && jwk && isPublic(jwk) && ALGORITHMS.includes(alg ?? '')) {
      return { jkt: await calculateJwkThumbprint(jwk), key: await importJWK(jwk, alg) };
    }
  } catch {
    // Refused below.
  }
  throw refused(
    `The proof must have typ dpop+jwt, one of the algorithms ${ALGORITHMS.join(', ')}, and as jwk the public key alone.`,
  );
}

const isPublic = (jwk: JWK) => !PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name));

async function verifySignature(proof: string, key: ProofKey): Promise<JWTPayload> {
  try {
    return (await jwtVerify(proof, key, { algorithms: ALGORITHMS })).payload;
  } catch {
    throw refused('The signature of the proof does not match its key, or it has expired.');
  }
}

function checkClaims(claims: JWTPayload, expected: Expected, now: number): Proof {
  const { htm, htu, ath, nonce, iat, jti } = claims;
  if (htm !== expected.method) throw refused(`htm must be ${expected.method}.`);
  if (typeof htu !== 'string' || toProofAddress(htu) !== expected.address) {
    throw refused(`htu must be ${expected.address}, the address of this request.`);
  }
  if (ath !== hash('sha256', expected.credential, 'base64url')) {
    throw refused('ath must be the SHA-256 of the key or token that is sent, in base64url.');
  }
  if (typeof iat !== 'number' || Math.abs(now / 1000 - iat) > MAX_CLOCK_SECONDS) {
    throw refused('iat must be the time now: set the clock, or make a new proof.');
  }
  if (nonce !== undefined && typeof nonce !== 'string') throw refused('nonce must be a text.');
  if (typeof jti !== 'string' || jti.length === 0 || jti.length > 256) {
    throw refused('jti must be a text of 1 to 256 characters.');
  }
  const id = hash('sha256', `${expected.jkt} ${jti}`, 'base64url');
  return { id, nonce };
}
