import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { Repository } from 'typeorm';
import { hasEscapedClaim } from '@latchkey/text/parse-json';
import { userPrincipal } from '../../knowledge-bases/access-rules/principals.js';
import {
  ALGORITHMS,
  CLOCK_TOLERANCE_SECONDS,
  isAccessToken,
} from '../../knowledge-bases/dashboard-auth/provider-tokens.js';
import { hasLength, isStorableText } from '../../platform/http/text.js';
import { Problem } from '../../platform/problems/problem.js';
import { ApiKeyAdmission } from '../../api-keys/api-key-admission.js';
import { ClientTokens } from '../client-tokens/client-tokens.js';
import { KeyUses, toUsedKey } from '../../api-keys/key-uses.js';
import { RateLimiter } from '../../api-keys/rate-limiter.js';
import { API_KEY_SCOPES, type ApiKeyScope } from '../../api-keys/scope.js';
import { ExchangesTokens, type TokenExchanger } from '../client-tokens/token-exchanger.js';
import { IssuerKeys } from './issuer-keys.js';
import { matchesPattern } from './subject-pattern.js';
import {
  ACCESS_TOKEN,
  type ExchangedTokenDto,
  type TokenExchangeDto,
} from '../client-tokens/token-exchange.dto.js';
import { TrustedIssuer } from './trusted-issuer.entity.js';

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const MAX_SUBJECT = 255;
/** The longest and the shortest life of a client token. */
const MAX_SECONDS = 900;
const MIN_SECONDS = 60;
/** The failed exchanges that one address may make. */
const FAILURES_PER_MINUTE = 60;
/** The longest life of an exchanged token. Some clouds issue tokens for slightly more than a day. */
const MAX_LIFE_SECONDS = 25 * 60 * 60;

/** Exchanges a token of a trusted issuer for a client token of its subject. */
@Injectable()
@ExchangesTokens()
export class TokenExchange implements TokenExchanger {
  constructor(
    @InjectRepository(TrustedIssuer) private readonly issuers: Repository<TrustedIssuer>,
    private readonly issuerKeys: IssuerKeys,
    private readonly tokens: ClientTokens,
    private readonly admission: ApiKeyAdmission,
    private readonly uses: KeyUses,
    private readonly rateLimiter: RateLimiter,
  ) {}

  /**
   * @param ip the client's address
   * @throws Problem `invalid_subject_token` for every defect of the token or the issuer; `insufficient_scope`,
   *   `rate_limited` or `identity_provider_unavailable`
   */
  async exchange(dto: TokenExchangeDto, ip: string): Promise<ExchangedTokenDto> {
    const { issuer, claims } = await this.rateLimiter.limitFailures(
      'token-exchange',
      ip,
      FAILURES_PER_MINUTE,
      () => this.verify(dto),
    );
    const { sub: endUserId = '', exp = 0 } = claims;
    const scopes = requestedScopes(issuer, dto.scope);
    const left = exp - Math.floor(Date.now() / 1000);
    const seconds = Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, left));
    const expiresAt = new Date(Date.now() + seconds * 1000);
    const token = {
      keyId: issuer.apiKeyId,
      endUserId,
      principals: [userPrincipal(endUserId)],
      scopes,
      filter: undefined,
      allowedOrigins: null,
    };
    const accessToken = this.tokens.sign(token, expiresAt);
    await this.recordUse(accessToken, ip, scopes);
    return {
      access_token: accessToken,
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: seconds,
      scope: scopes.join(' '),
    };
  }

  /** Checks that the client token works, and counts a use of its key. */
  private async recordUse(accessToken: string, ip: string, scopes: readonly ApiKeyScope[]) {
    try {
      const { principal, admittedAt: at } = await this.admission.admit(
        accessToken,
        { ip, origin: undefined, path: '' },
        scopes,
      );
      this.uses.record({ kind: 'use', key: toUsedKey(principal), at, ip, count: 1 });
    } catch (error) {
      // The trusted issuer was deleted in the meantime, or the subject was deprovisioned.
      if (error instanceof Problem && error.getStatus() === 401) throw refused();
      throw error;
    }
  }

  private async verify({ subject_token: token, audience, scope }: TokenExchangeDto) {
    const { iss, aud } = readUnverifiedClaims(token);
    const candidates = await this.findCandidates(iss, aud, audience);
    if (candidates.length === 0) throw refused();
    const claims = await this.verifyClaims(token, iss, aud);
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

  private async verifyClaims(token: string, issuer: string, audience: string) {
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
      if (!isAccessToken(protectedHeader.typ, payload) || !isTimely(payload)) throw refused();
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

const grantedScopes = ({ apiKey }: TrustedIssuer): ApiKeyScope[] =>
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

/** @throws Problem `insufficient_scope` */
function requestedScopes(issuer: TrustedIssuer, scope: string | undefined): ApiKeyScope[] {
  const granted = grantedScopes(issuer);
  if (scope === undefined) return granted;
  const requested = [...new Set(scope.split(' '))];
  const scopes = granted.filter((one) => requested.includes(one));
  if (scopes.length === requested.length) return scopes;
  throw new Problem('insufficient_scope', {
    detail: 'The trusted issuer lacks some of the requested scopes.',
    extensions: { error: 'invalid_scope' },
  });
}

/** The response is the same for every reason. It also has the error code of RFC 6749. */
const refused = (detail?: string) =>
  new Problem('invalid_subject_token', {
    ...(detail !== undefined && { detail }),
    extensions: { error: 'invalid_request' },
  });
