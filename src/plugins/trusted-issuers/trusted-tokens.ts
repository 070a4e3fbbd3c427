import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { Repository } from 'typeorm';
import { hasEscapedClaim } from '@latchkey/text/parse-json';
import { API_KEY_SCOPES, type ApiKeyScope } from '../../api-keys/scope.js';
import {
  ALGORITHMS,
  CLOCK_TOLERANCE_SECONDS,
} from '../../knowledge-bases/dashboard-auth/provider-tokens.js';
import { hasLength, isStorableText } from '../../platform/http/text.js';
import { Problem } from '../../platform/problems/problem.js';
import { ClientTokens } from '../client-tokens/client-tokens.js';
import { IssuerKeys } from './issuer-keys.js';
import { matchesPattern } from './subject-pattern.js';
import { TrustedIssuer } from './trusted-issuer.entity.js';

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const MAX_SUBJECT = 255;
/** The longest life of a token. Some clouds issue tokens for slightly more than a day. */
const MAX_LIFE_SECONDS = 25 * 60 * 60;

/** What a token must be, beside its signature, its times and what the trusted issuer requires. */
interface Expected {
  /** The trusted issuer or its knowledge base, if it is named. */
  readonly audience?: string | undefined;
  /** The scopes that are asked for; all by default. */
  readonly scope?: string | undefined;
  /** Whether a token is of the right kind, by the type in its header and its claims. */
  readonly isKind: (type: unknown, claims: JWTPayload) => boolean;
}

/** A token that is verified, and the trusted issuer that it is of. */
export interface TrustedToken {
  readonly issuer: TrustedIssuer;
  readonly claims: JWTPayload;
}

/** Verifies tokens of trusted issuers. */
@Injectable()
export class TrustedTokens {
  constructor(
    @InjectRepository(TrustedIssuer) private readonly issuers: Repository<TrustedIssuer>,
    private readonly issuerKeys: IssuerKeys,
  ) {}

  /**
   * @throws Problem `invalid_subject_token` for every defect of the token or the issuer, or
   *   `identity_provider_unavailable`
   */
  async verify(token: string, { audience, scope, isKind }: Expected): Promise<TrustedToken> {
    const { iss, aud } = readUnverifiedClaims(token);
    const candidates = await this.findCandidates(iss, aud, audience);
    if (candidates.length === 0) throw refused();
    const claims = await this.verifyClaims(token, iss, aud, isKind);
    const matching = candidates.filter((issuer) => meetsTrust(issuer, claims));
    const issuer = chooseIssuer(matching, scope);
    if (!issuer) throw refused();
    if (new Set(matching.map(({ apiKey }) => apiKey.ownerId)).size > 1) {
      throw refused('Several knowledge bases trust this token: name yours as `audience`.');
    }
    return { issuer, claims };
  }

  /**
   * Finds the trusted issuers for a token, the oldest first: of one knowledge base, or a single one, if it
   * is named.
   */
  private findCandidates(
    issuer: string,
    audience: string,
    named?: string,
  ): Promise<TrustedIssuer[]> {
    const found = this.issuers
      .createQueryBuilder('issuer')
      .innerJoinAndSelect('issuer.apiKey', 'key')
      .innerJoinAndSelect('key.grants', 'opened')
      .innerJoin('opened.knowledgeBase', 'kb', `kb.state = 'active'`)
      .where({ issuer, audience })
      .orderBy('issuer.id');
    if (named !== undefined)
      found.andWhere('(issuer.id = :named OR key.ownerId = :named)', { named });
    return found.getMany();
  }

  private async verifyClaims(
    token: string,
    issuer: string,
    audience: string,
    isKind: Expected['isKind'],
  ) {
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        this.issuerKeys.getKeyResolver(issuer),
        {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          requiredClaims: ['exp', 'iat', 'sub'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
        },
      );
      if (!isKind(protectedHeader.typ, payload) || !isTimely(payload)) throw refused();
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw refused();
      throw error;
    }
  }
}

/** Reads the issuer and the audience of a token that is not verified yet. */
function readUnverifiedClaims(token: string): { iss: string; aud: string } {
  if (!JWT.test(token) || ClientTokens.isToken(token) || hasEscapedClaim(token)) throw refused();
  const { iss, aud } = decodeToken(token);
  // A token for several services could be used here by any of them.
  const [audience, ...others] = [aud].flat();
  if (!isStorableText(iss) || !isStorableText(audience) || others.length > 0) throw refused();
  return { iss, aud: audience };
}

function decodeToken(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    throw refused();
  }
}

function isTimely({ iat = 0, exp = 0 }: JWTPayload): boolean {
  const now = Date.now() / 1000;
  return iat <= now + CLOCK_TOLERANCE_SECONDS && exp - iat <= MAX_LIFE_SECONDS;
}

function meetsTrust({ subject, claims }: TrustedIssuer, payload: JWTPayload): boolean {
  const { sub } = payload;
  if (!isStorableText(sub) || !hasLength(sub, 1, MAX_SUBJECT)) return false;
  if (subject !== null && !matchesPattern(sub, subject)) return false;
  return Object.entries(claims ?? {}).every(
    ([name, value]) => Object.hasOwn(payload, name) && payload[name] === value,
  );
}

export const grantedScopes = ({ apiKey }: TrustedIssuer): ApiKeyScope[] =>
  API_KEY_SCOPES.filter((one) => apiKey.grants.some(({ scopes }) => scopes.includes(one)));

/**
 * Chooses the oldest issuer that has all of `scope`, if there is one; without `scope`, the one with the
 * most scopes.
 */
function chooseIssuer(
  matching: readonly TrustedIssuer[],
  scope: string | undefined,
): TrustedIssuer | undefined {
  if (scope === undefined) {
    return matching.toSorted((a, b) => grantedScopes(b).length - grantedScopes(a).length)[0];
  }
  const hasAll = (issuer: TrustedIssuer) => {
    const granted = new Set<string>(grantedScopes(issuer));
    return scope.split(' ').every((one) => granted.has(one));
  };
  return matching.find(hasAll) ?? matching[0];
}

/** The response is the same for every reason. It also has the error code of RFC 6749. */
export const refused = (detail?: string) =>
  new Problem('invalid_subject_token', {
    ...(detail !== undefined && { detail }),
    extensions: { error: 'invalid_request' },
  });
