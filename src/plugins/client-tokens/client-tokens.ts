import { Injectable } from '@nestjs/common';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { unauthorized } from '../../api-keys/api-key-status.js';
import { hasEscapedClaim } from '@latchkey/text/parse-json';
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
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;
const ALGORITHM = 'HS256';
const AUDIENCE = 'latchkey-client';

/**
 * Client tokens are signed and not stored. The signing key is derived from the pepper, so a token of a
 * pepper that is no longer configured is refused.
 */
@Injectable()
@IsKeyCredential()
export class ClientTokens implements KeyCredential {
  constructor(private readonly peppers: Peppers) {}

  static isToken(credential: string): boolean {
    return credential.startsWith(PREFIX);
  }

  recognizes(credential: string): boolean {
    return ClientTokens.isToken(credential);
  }

  async sign(claims: Omit<KeyDelegation, 'expiresAt'>, expiresAt: Date): Promise<string> {
    const { id, key } = this.peppers.currentTokenKey;
    const { keyId, endUserId, principals, scopes, filter, allowedOrigins } = claims;
    const jwt = new SignJWT({ principals, scopes, filter, origins: allowedOrigins, key: keyId })
      .setProtectedHeader({ alg: ALGORITHM, kid: id })
      .setAudience(AUDIENCE)
      .setSubject(endUserId)
      .setExpirationTime(expiresAt);
    return PREFIX + (await jwt.sign(key));
  }

  /** @throws Problem `client_token_expired`, or `invalid_api_key` for every other defect */
  async verify(token: string): Promise<KeyDelegation> {
    const jws = token.slice(PREFIX.length);
    // Claim names that this service signs contain no escapes.
    if (!TOKEN.test(jws) || hasEscapedClaim(jws)) throw unauthorized('invalid_api_key');
    try {
      const { payload } = await jwtVerify(
        jws,
        ({ kid }) => {
          const key = this.peppers.tokenKey(kid);
          if (!key) throw new errors.JOSENotSupported('unknown key');
          return key;
        },
        {
          algorithms: [ALGORITHM],
          audience: AUDIENCE,
          requiredClaims: ['exp', 'sub', 'principals'],
        },
      );
      // The signature proves that this service wrote the claims, so their types are not checked.
      return {
        keyId: payload['key'] as string,
        endUserId: payload.sub ?? '',
        principals: payload['principals'] as string[],
        scopes: payload['scopes'] as ApiKeyScope[],
        filter: payload['filter'] as MetadataFilter | undefined,
        allowedOrigins: payload['origins'] as string[] | null,
        expiresAt: new Date((payload.exp ?? 0) * 1000),
      };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw unauthorized('client_token_expired');
      if (error instanceof errors.JOSEError) throw unauthorized('invalid_api_key');
      throw error;
    }
  }
}
