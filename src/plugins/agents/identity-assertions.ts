import { Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { RateLimiter } from '../../api-keys/rate-limiter.js';
import { type ApiKeyScope, CLIENT_TOKEN_SCOPES } from '../../api-keys/scope.js';
import { type Principals, userPrincipal } from '../../knowledge-bases/access-rules/principals.js';
import { CLOCK_TOLERANCE_SECONDS } from '../../knowledge-bases/dashboard-auth/provider-tokens.js';
import { toGroups } from '../../knowledge-bases/dashboard-auth/user-groups.js';
import { isStorableText } from '../../platform/http/text.js';
import { Problem } from '../../platform/problems/problem.js';
import { grantedScopes, TrustedTokens } from '../trusted-issuers/trusted-tokens.js';
import { AgentConnections } from './agent-connections.js';
import { toAskingClient } from './asking-client.js';
import { OAuthStore } from './oauth-store.js';
import { parseScopes, type ResourceName, toResourceName } from './resources.js';

/** The type of an identity assertion authorization grant (ID-JAG). */
const TYPE = /^(?:application\/)?oauth-id-jag\+jwt$/i;
const FAILURES_PER_MINUTE = 60;

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
    // As long as it is taken.
    const end = new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1000);
    const isFirst = await this.store.useOnce(`${issuer.issuer}\n${String(jti)}`, end);
    if (!isFirst) throw refused('The assertion was used before.');
    const { name, host } = toAskingClient(client.id, client.name, base);
    const actor = { id: issuer.apiKeyId, requestId: '' };
    const { id: connectionId } = await this.connections.beginOrContinue(
      issuer.apiKey.ownerId,
      actor,
      {
        ...{ apiKeyId: issuer.apiKeyId, clientId: client.id, clientName: name, clientHost: host },
        ...{ resource, scopes: [...scopes], endUserId },
        personId: null,
        principals: [userPrincipal(endUserId), ...readGroups(claims)],
      },
    );
    return { connectionId, resource, scopes };
  }

  private async verify({ base, params, client }: AssertionRequest) {
    const { assertion, audience } = params;
    if (typeof assertion !== 'string') throw refused('There is no assertion.');
    const isKind = (type: unknown) => typeof type === 'string' && TYPE.test(type);
    const named = isStorableText(audience) ? audience : undefined;
    const token = await this.trusted.verify(assertion, { audience: named, isKind });
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

/**
 * @throws Problem `invalid_groups`, also if the provider names them elsewhere because there are too many: a rule
 *   could deny one of them something
 */
function readGroups({ groups, _claim_names: elsewhere }: JWTPayload): Principals {
  if (groups !== undefined) return toGroups(typeof groups === 'string' ? [groups] : groups);
  const isElsewhere =
    typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, 'groups');
  if (isElsewhere) throw new Problem('invalid_groups');
  return [];
}

const refused = (detail: string) => new Problem('invalid_subject_token', { detail });
