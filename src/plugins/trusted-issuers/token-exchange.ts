import { Injectable } from '@nestjs/common';
import { userPrincipal } from '../../knowledge-bases/access-rules/principals.js';
import { isAccessToken } from '../../knowledge-bases/dashboard-auth/provider-tokens.js';
import { Problem } from '../../platform/problems/problem.js';
import { ApiKeyAdmission } from '../../api-keys/api-key-admission.js';
import { ClientTokens } from '../client-tokens/client-tokens.js';
import { KeyUses, toUsedKey } from '../../api-keys/key-uses.js';
import { RateLimiter } from '../../api-keys/rate-limiter.js';
import type { ApiKeyScope } from '../../api-keys/scope.js';
import { ExchangesTokens, type TokenExchanger } from '../client-tokens/token-exchanger.js';
import {
  ACCESS_TOKEN,
  type ExchangedTokenDto,
  type TokenExchangeDto,
} from '../client-tokens/token-exchange.dto.js';
import { grantedScopes, refused, TrustedTokens } from './trusted-tokens.js';
import type { TrustedIssuer } from './trusted-issuer.entity.js';

/** The longest and the shortest life of a client token. */
const MAX_SECONDS = 900;
const MIN_SECONDS = 60;
/** The failed exchanges that one address may make. */
const FAILURES_PER_MINUTE = 60;

/** Exchanges a token of a trusted issuer for a client token of its subject. */
@Injectable()
@ExchangesTokens()
export class TokenExchange implements TokenExchanger {
  constructor(
    private readonly trusted: TrustedTokens,
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
      () => this.trusted.verify(dto.subject_token, { ...dto, isKind: isAccessToken }),
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
