import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { parseJson } from '@latchkey/text/parse-json';
import type { Principals } from '../../knowledge-bases/access-rules/principals.js';
import { unauthorized } from '../../api-keys/api-key-status.js';
import {
  IsKeyCredential,
  type KeyCredential,
  type KeyDelegation,
} from '../../api-keys/key-credential.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import type { ApiKeyScope } from '../../api-keys/scope.js';

const PREFIX = 'rag_client_';
/**
 * Matches a JWS. Only four bits of the last character belong to the signature; the other two must be 0, so
 * that no second text has the same signature.
 */
const TOKEN = /^rag_client_([\w-]+)\.([\w-]+)\.([\w-]{42}[AEIMQUYcgkosw048])$/;
const AUDIENCE = 'latchkey-client';

/** A client token always has an end user. */
type ClientDelegation = KeyDelegation & {
  readonly endUserId: string;
  readonly principals: Principals;
};

interface Claims {
  readonly key: string;
  readonly sub: string;
  readonly principals?: readonly string[];
  readonly scopes: readonly ApiKeyScope[];
  readonly filter: MetadataFilter | undefined;
  readonly origins: readonly string[] | null;
  /** The key that each request has to prove (RFC 7800). */
  readonly cnf?: { readonly jkt: string };
  /** In seconds. */
  readonly exp?: number;
  readonly aud: string;
}

/**
 * Client tokens are JSON Web Tokens (HS256), signed and not stored. The signing key is derived from the
 * pepper, so a token of a pepper that is no longer configured is refused. They are
 * verified here rather than by `jose`, which hands each one to WebCrypto's threads.
 */
@Injectable()
@IsKeyCredential()
export class ClientTokens implements KeyCredential {
  /** The keys by the header of the tokens that they sign, the current one first. */
  private readonly keys: ReadonlyMap<string, KeyObject>;

  constructor(peppers: Peppers) {
    this.keys = new Map(
      peppers
        .derive('latchkey client token')
        .map(({ pepperId, key }) => [encode({ alg: 'HS256', kid: pepperId }), key]),
    );
  }

  static isToken(credential: string): boolean {
    return credential.startsWith(PREFIX);
  }

  recognizes(credential: string): boolean {
    return ClientTokens.isToken(credential);
  }

  sign(delegation: Omit<ClientDelegation, 'expiresAt'>, expiresAt: Date): string {
    const [[header, key] = []] = this.keys;
    if (header === undefined || key === undefined) throw new Error('There is no pepper');
    const { keyId, endUserId, principals, scopes, filter, allowedOrigins, dpopJkt } = delegation;
    const claims: Claims = {
      ...{ principals, scopes, filter },
      ...{ origins: allowedOrigins, key: keyId, aud: AUDIENCE, sub: endUserId },
      exp: Math.floor(expiresAt.getTime() / 1000),
      ...(dpopJkt !== undefined && { cnf: { jkt: dpopJkt } }),
    };
    const payload = encode(claims);
    return `${PREFIX}${header}.${payload}.${hmac(key, header, payload).toString('base64url')}`;
  }

  /** @throws Problem `client_token_expired`, or `invalid_api_key` for every other defect */
  verify(token: string): KeyDelegation {
    const [, header = '', payload = '', signature = ''] = TOKEN.exec(token) ?? [];
    const key = this.keys.get(header);
    if (!key) throw unauthorized('invalid_api_key');
    if (!timingSafeEqual(hmac(key, header, payload), Buffer.from(signature, 'base64url'))) {
      throw unauthorized('invalid_api_key');
    }
    // The signature proves that this service wrote the claims, so their types are not checked.
    const claims = parseJson(Buffer.from(payload, 'base64url').toString()) as Claims;
    if (!claims.principals || claims.exp === undefined) throw unauthorized('invalid_api_key');
    const expiresAt = new Date(claims.exp * 1000);
    if (expiresAt.getTime() <= Date.now()) throw unauthorized('client_token_expired');
    return {
      keyId: claims.key,
      endUserId: claims.sub,
      principals: claims.principals,
      scopes: claims.scopes,
      filter: claims.filter,
      allowedOrigins: claims.origins,
      expiresAt,
      dpopJkt: claims.cnf?.jkt,
    };
  }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const hmac = (key: KeyObject, header: string, payload: string) =>
  createHmac('sha256', key).update(`${header}.${payload}`).digest();
