import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { toPrincipals } from '../knowledge-bases/access-rules/principals.js';
import { Problem } from '../platform/problems/problem.js';
import { combineFilters } from '@latchkey/ranking/metadata-filter';
import { inSpan } from '../platform/telemetry/tracing.js';
import { ApiKeyLookup, FoundApiKey } from './api-key-lookup.js';
import type { ApiKeyPrincipal, Grant } from './api-key-principal.js';
import { Caller, requireAllowedCaller, statusProblem, unauthorized } from './api-key-status.js';
import { IsKeyCredential, type KeyCredential, type KeyDelegation } from './key-credential.js';
import { isRefusal, KeyUses, toUsedKey } from './key-uses.js';
import { type SenderProofs, VerifiesProofs } from './sender-proofs.js';
import { Quota, RateLimiter, rateLimitsIn } from './rate-limiter.js';
import {
  type ApiKeyScope,
  ISSUE_CLIENT_TOKENS,
  mayIssueTokens,
  RequiredScope,
  requireScope,
} from './scope.js';
import { isWellFormedSecret } from './secret.js';

type AdmittedPrincipal = Omit<ApiKeyPrincipal, 'requestId'>;

export interface AdmittedApiKey {
  readonly principal: AdmittedPrincipal;
  /** The remaining requests of the key, and of a client token's end user. */
  readonly quotas: readonly Quota[];
  /** The time at which the key counts as used. */
  readonly admittedAt: Date;
}

/** A key, and the client token by which it is used. */
export interface PresentedApiKey {
  readonly key: FoundApiKey;
  readonly token?: KeyDelegation;
}

/**
 * Decides whether an API key or client token may be used for a request now: by the key's status, the
 * caller's address and origin, the scope, and the rate limit.
 */
@Injectable()
export class ApiKeyAdmission implements OnModuleInit {
  private credentials: readonly KeyCredential[] = [];
  private proofs: SenderProofs | undefined;

  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly discovery: DiscoveryService,
    private readonly rateLimiter: RateLimiter,
    private readonly uses: KeyUses,
  ) {}

  onModuleInit(): void {
    this.credentials = IsKeyCredential.find(this.discovery).map(({ instance }) => instance);
    this.proofs = VerifiesProofs.find(this.discovery)[0]?.instance;
  }

  /**
   * @param credential what the request presents, any JSON value
   * @param scopes the scopes, one of which is required
   * @param found called with the id of the key that the credential proves, even if it is then refused
   * @throws Problem a 401, `ip_not_allowed`, `origin_not_allowed`, `insufficient_scope`,
   *   `rate_limited` or `verification_busy`
   */
  admit(
    credential: unknown,
    caller: Caller,
    scopes: readonly RequiredScope[],
    found?: (keyId: string) => void,
  ): Promise<AdmittedApiKey> {
    return inSpan('verify API key', {}, async (span) => {
      const admitted = await this.admitCredential(credential, caller, scopes, found);
      const { id, kbId } = admitted.principal;
      span?.setAttributes({ 'latchkey.key_id': id, 'latchkey.kb_id': kbId });
      return admitted;
    });
  }

  /**
   * Admits somebody whom the caller of this method has authenticated by other means than a credential, such as the
   * signature of a chat service, with the rights that a client token with this delegation would have.
   *
   * @throws Problem as `admit`
   */
  async admitDelegation(
    delegation: KeyDelegation,
    caller: Caller,
    scopes: readonly RequiredScope[],
  ): Promise<AdmittedApiKey> {
    const presented = await this.findDelegated(delegation);
    return this.admitPresented(presented, '', caller, scopes);
  }

  /**
   * Authenticates a credential without counting or writing anything.
   *
   * @throws Problem a 401, `ip_not_allowed`, `origin_not_allowed` or `verification_busy`
   */
  async inspect(credential: string, caller: Caller): Promise<PresentedApiKey> {
    const presented = await this.findPresented(credential, caller, { readOnly: true });
    await this.requireUsable(presented, credential, caller);
    return presented;
  }

  private async admitCredential(
    credential: unknown,
    caller: Caller,
    scopes: readonly RequiredScope[],
    found?: (keyId: string) => void,
  ): Promise<AdmittedApiKey> {
    if (typeof credential !== 'string' || credential === '') {
      throw unauthorized('api_key_required');
    }
    const presented = await this.findPresented(credential, caller);
    found?.(presented.key.id);
    return this.admitPresented(presented, credential, caller, scopes);
  }

  private async admitPresented(
    presented: PresentedApiKey,
    credential: string,
    caller: Caller,
    scopes: readonly RequiredScope[],
  ): Promise<AdmittedApiKey> {
    const { key } = presented;
    const { status } = key;
    const principal = toPrincipal(presented);
    const quotas = await this.requireUsable(presented, credential, caller)
      .then(() => this.requireAllowed(presented, principal, scopes))
      .catch((error: unknown) => {
        if (error instanceof Problem && isRefusal(error.getStatus())) {
          this.uses.record({
            kind: 'refusal',
            key: toUsedKey(principal),
            at: new Date(),
            ip: caller.ip,
            isKeyInactive: status === 'deleted' || status === 'revoked',
            count: 1,
          });
        }
        throw error;
      });
    const admittedAt = new Date();
    if (!key.used && !(await this.lookup.recordFirstUse(key, admittedAt))) {
      throw unauthorized('invalid_api_key');
    }
    return { principal, quotas, admittedAt };
  }

  /** @throws Problem `invalid_api_key`, `client_token_expired` or `verification_busy` */
  private async findPresented(
    credential: string,
    caller: Caller,
    options?: { readonly readOnly: boolean },
  ): Promise<PresentedApiKey> {
    const kind = this.credentials.find((one) => one.recognizes(credential));
    if (kind) {
      // The token is verified before its key is looked up.
      return this.findDelegated(await kind.verify(credential, caller));
    }
    if (!isWellFormedSecret(credential)) throw unauthorized('invalid_api_key');
    const key = await this.lookup.find(credential, caller.ip, options);
    if (!key) throw unauthorized('invalid_api_key');
    return { key };
  }

  /** @throws Problem `invalid_api_key` */
  private async findDelegated(token: KeyDelegation): Promise<PresentedApiKey> {
    const key = await this.lookup.findById(token.keyId, token.endUserId);
    const presented = key && narrowToMemberships(key, token);
    if (!presented) throw unauthorized('invalid_api_key');
    return presented;
  }

  /**
   * A proof is required before limits are counted, so that who has stolen a key cannot use them up. The
   * constraint of a key is not one of its tokens, which were made with a proof.
   *
   * @throws Problem a 401, `ip_not_allowed` or `origin_not_allowed`
   */
  private async requireUsable(
    { key, token }: PresentedApiKey,
    credential: string,
    caller: Caller,
  ): Promise<void> {
    const problem = statusProblem(key.status);
    if (problem) throw problem;
    const restrictions = token?.isOwnPage === true ? [] : key.grants;
    requireAllowedCaller(key.allowedIps, caller, token ? [...restrictions, token] : restrictions);
    const jkt = token ? token.dpopJkt : key.dpopJkt;
    if (typeof jkt !== 'string') return;
    if (!this.proofs) throw proofsOff();
    await this.proofs.require(jkt, credential, caller.exchange);
  }

  private async requireAllowed(
    presented: PresentedApiKey,
    principal: AdmittedPrincipal,
    scopes: readonly RequiredScope[],
  ): Promise<Quota[]> {
    requireScope(principal.scopes, scopes);
    const { key, token } = presented;
    const { rotationRoot, settings } = key;
    const { perMinute, perEndUser } = rateLimitsIn(settings, key);
    const endUserQuotas =
      token?.endUserId !== undefined && perEndUser !== null
        ? [await this.rateLimiter.consumeForEndUser(rotationRoot, token.endUserId, perEndUser)]
        : [];
    return [await this.rateLimiter.consumeForKey(rotationRoot, perMinute), ...endUserQuotas];
  }
}

const proofsOff = () =>
  new Problem('proof_required', {
    detail: 'The credential is bound to a key, and this service checks no proofs.',
    remedy: 'Ask the operator to run the plugin sender-constraints.',
  });

/**
 * Leaves of a key what a person is a member of. Groups that count in one knowledge base alone are principals only
 * where nothing else is open; of several, those with such groups are left out.
 *
 * @returns undefined without the main knowledge base, whose settings and limits apply
 */
function narrowToMemberships(key: FoundApiKey, token: KeyDelegation): PresentedApiKey | undefined {
  const { memberships } = token;
  if (!memberships) return { key, token };
  const own = key.grants.filter(({ kbId }) => memberships.has(kbId));
  const [main, ...others] = own;
  if (main?.kbId !== key.ownerId) return undefined;
  const pushed = (kbId: string) => memberships.get(kbId) ?? [];
  if (others.length === 0) {
    const principals = [...(token.principals ?? []), ...pushed(main.kbId)];
    return { key: { ...key, grants: own }, token: { ...token, principals } };
  }
  const grants = own.filter(({ kbId }) => pushed(kbId).length === 0);
  return grants[0] === main ? { key: { ...key, grants }, token } : undefined;
}

/** What a credential opens. A token never has more rights than its key has now. */
export const toGrants = ({ key, token }: PresentedApiKey): Grant[] =>
  key.grants.map(({ kbId, scopes, filter, curatedVersion }) => ({
    kbId,
    scopes: token ? scopes.filter((scope) => token.scopes.includes(scope)) : scopes,
    filter: combineFilters(filter, token?.filter),
    curatedVersion,
  }));

function toPrincipal(presented: PresentedApiKey): AdmittedPrincipal {
  const { key, token } = presented;
  const { id, ownerId, environment, rotationRoot, budget, settings } = key;
  const { rateLimitPerMinute, rateLimitPerEndUser } = key;
  const grants = toGrants(presented);
  return {
    id,
    kbId: ownerId,
    grants,
    environment,
    rotationRoot,
    scopes: collectRights(grants, token),
    filter: grants[0]?.filter,
    endUserId: token?.endUserId,
    principals: toPrincipals(token?.principals ?? key.principals),
    clientToken: token,
    connectionId: token?.connectionId,
    rateLimitPerMinute,
    rateLimitPerEndUser,
    budget,
    settings,
  };
}

/** Every scope that is granted in at least one of the knowledge bases. */
export const mergeScopes = (grants: readonly Grant[]): ApiKeyScope[] => [
  ...new Set(grants.flatMap(({ scopes }) => scopes)),
];

function collectRights(
  grants: readonly Grant[],
  token: KeyDelegation | undefined,
): readonly RequiredScope[] {
  const scopes = mergeScopes(grants);
  return token || !mayIssueTokens(scopes) ? scopes : [...scopes, ISSUE_CLIENT_TOKENS];
}
