import { Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { RateLimiter } from '../../api-keys/rate-limiter.js';
import { type ApiKeyScope, CLIENT_TOKEN_SCOPES } from '../../api-keys/scope.js';
import {
  groupPrincipal,
  MAX_PRINCIPALS,
  userPrincipal,
} from '../../knowledge-bases/access-rules/principals.js';
import { hasLength, isStorableText } from '../../platform/http/text.js';
import { Problem } from '../../platform/problems/problem.js';
import { grantedScopes, TrustedTokens } from '../trusted-issuers/trusted-tokens.js';
import { AgentConnections } from './agent-connections.js';
import { toAskingClient } from './asking-client.js';
import { OAuthStore } from './oauth-store.js';
import { parseScopes, type ResourceName, toResourceName } from './resources.js';

/** The type of an identity assertion authorization grant (ID-JAG). */
const TYPE = /^(?:application\/)?oauth-id-jag\+jwt$/i;
const FAILURES_PER_MINUTE = 60;
const MAX_GROUP = 255;

interface AssertionRequest {
  /** The issuer of the tokens, which the assertion must be for. */
  readonly base: string;
  /** The client's address. */
  readonly ip: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly client: { readonly id: string; readonly name: string | undefined };
}

interface Redeemed {
  readonly connectionId: string;
  readonly resource: ResourceName;
  readonly scopes: readonly ApiKeyScope[];
}

/**
 * Connects an agent in the name of a person by an assertion of a trusted issuer, without a page: an enterprise's
 * identity provider decides which of its people's agents come here (SEP-990).
 */
@Injectable()
export class IdentityAssertions {
  constructor(
    private readonly trusted: TrustedTokens,
    private readonly connections: AgentConnections,
    private readonly store: OAuthStore,
    private readonly rateLimiter: RateLimiter,
  ) {}

  /** @throws Problem `invalid_subject_token`, `rate_limited` or `identity_provider_unavailable` */
  async redeem(request: AssertionRequest): Promise<Redeemed> {
    const { base, ip, params, client } = request;
    const { issuer, claims } = await this.rateLimiter.limitFailures(
      'oauth-assertion',
      ip,
      FAILURES_PER_MINUTE,
      () => this.verify(request),
    );
    const { sub: endUserId = '', jti, exp = 0, scope } = claims;
    const indicator = claims['resource'] ?? params['resource'];
    const resource = typeof indicator === 'string' ? toResourceName(base, indicator) : undefined;
    if (!resource) throw refused('The assertion is for no resource of this service.');
    const open = grantedScopes(issuer);
    const scopes = [scope, params['scope']].reduce<readonly ApiKeyScope[]>(
      (left, text) => (text === undefined ? left : left.filter(isIn(parseScopes(text)))),
      CLIENT_TOKEN_SCOPES.filter(isIn(open)),
    );
    if (scopes.length === 0) throw refused('The trusted issuer has none of these scopes.');
    const isFirst = await this.store.useOnce(
      `${issuer.issuer}\n${String(jti)}`,
      new Date(exp * 1000),
    );
    if (!isFirst) throw refused('The assertion was used before.');
    const { name, host } = toAskingClient(client.id, client.name, base);
    const actor = { id: issuer.apiKeyId, requestId: '' };
    const { id: connectionId } = await this.connections.beginOrContinue(
      issuer.apiKey.ownerId,
      actor,
      {
        ...{ apiKeyId: issuer.apiKeyId, clientId: client.id, clientName: name, clientHost: host },
        ...{ resource, scopes: [...scopes], endUserId },
        principals: [userPrincipal(endUserId), ...readGroups(claims).map(groupPrincipal)],
      },
    );
    return { connectionId, resource, scopes };
  }

  private async verify({ base, params, client }: AssertionRequest) {
    const { assertion } = params;
    if (typeof assertion !== 'string') throw refused('There is no assertion.');
    const isKind = (type: unknown) => typeof type === 'string' && TYPE.test(type);
    const token = await this.trusted.verify(assertion, { isKind });
    const { aud, client_id: clientId, jti } = token.claims;
    if (typeof aud !== 'string' || aud.replace(/\/$/, '') !== base) {
      throw refused('The assertion is for another authorization server.');
    }
    if (clientId !== client.id) throw refused('The assertion was given to another client.');
    if (!isStorableText(jti)) throw refused('The assertion has no jti.');
    return token;
  }
}

const isIn = (scopes: readonly ApiKeyScope[]) => (scope: ApiKeyScope) => scopes.includes(scope);

const readGroups = ({ groups }: JWTPayload): string[] =>
  (Array.isArray(groups) ? (groups as unknown[]) : [])
    .filter(isStorableText)
    .filter((group) => hasLength(group, 1, MAX_GROUP))
    .slice(0, MAX_PRINCIPALS - 1);

const refused = (detail: string) => new Problem('invalid_subject_token', { detail });
