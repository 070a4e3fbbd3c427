import { Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { toComparableName } from '@latchkey/text/person-name';
import type { OidcConfig } from '../../platform/config/dashboard-auth-config.js';
import { hasEscapedClaim } from '@latchkey/text/parse-json';
import { Problem } from '../../platform/problems/problem.js';
import type { Principals } from '../access-rules/principals.js';
import { DashboardIdentity } from './dashboard-identity.js';
import type { DashboardRequest, DashboardUser } from './dashboard-user.js';
import type { ManagementKeys } from './management-keys.js';
import { ProviderKeys } from './provider-keys.js';
import { ALGORITHMS, CLOCK_TOLERANCE_SECONDS, isAccessToken } from './provider-tokens.js';
import { unauthenticated } from './unauthenticated.js';
import { toGroups } from './user-groups.js';
import { isUserId } from './user-id.js';

/** The number of applications that are named in the log, each once. */
const MAX_REPORTED = 20;
/** Client tokens are also JWTs, with the prefix `rag_`, and never come from the identity provider. */
const BEARER = /^Bearer (?!rag_)([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * Trusts the header if a token of the identity provider has the same user as `sub`. The groups come from
 * the token alone.
 */
export class OidcIdentity extends DashboardIdentity {
  private readonly logger = new Logger(OidcIdentity.name);
  private readonly keys: JWTVerifyGetKey;
  private readonly reportedParties = new Set<string>();

  constructor(
    private readonly oidc: OidcConfig,
    managementKeys: ManagementKeys | undefined,
  ) {
    super(managementKeys);
    const keys = new ProviderKeys(oidc);
    this.keys = (header, token) => keys.get(header, token);
  }

  protected override async verify(request: FastifyRequest, userId: string): Promise<Principals> {
    const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) {
      throw unauthenticated('Bearer', 'The header Authorization has no Bearer token.');
    }
    const claims = await this.verifyClaims(token, this.oidc.audience);
    if (!this.isForOurClient(claims) || claims.sub !== userId) throw refused();
    const groups = this.readGroupsClaim(claims);
    (request as DashboardRequest).tokenUser = userId;
    return groups;
  }

  /**
   * The person has let the holder of the token act for them. Agents are not clients that an operator could
   * list, so the token must be for `/mcp` and nothing else.
   */
  override async authenticateAgent(request: FastifyRequest): Promise<DashboardUser | undefined> {
    const { headers, id: requestId } = request;
    const { agents } = this.oidc;
    const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
    if (!agents || token === undefined) return undefined;
    const claims = await this.verifyClaims(token, agents.resource);
    const { sub: writtenId, aud } = claims;
    if (!isUserId(writtenId) || [aud].flat().length !== 1) throw refused();
    if (agents.scope !== undefined && !readScopes(claims).includes(agents.scope)) {
      throw new Problem('insufficient_scope', {
        detail: `The token lacks the scope ${agents.scope}.`,
      });
    }
    const groups = this.readGroupsClaim(claims);
    (request as DashboardRequest).tokenUser = writtenId;
    return { id: toComparableName(writtenId), writtenId, groups, requestId };
  }

  override async authenticateToken(token: string, requestId: string): Promise<DashboardUser> {
    const claims = await this.verifyClaims(token, this.oidc.audience);
    const { sub: writtenId } = claims;
    if (!this.isForOurClient(claims) || !isUserId(writtenId)) throw refused();
    const groups = this.readGroupsClaim(claims);
    return { id: toComparableName(writtenId), writtenId, groups, requestId };
  }

  /**
   * Whether the token was issued to one of our clients. `azp` names the client, or else RFC 9068's
   * `client_id`, which counts if a token is for several services: any of them could otherwise use it here.
   */
  private isForOurClient({ aud, azp, client_id: clientId }: JWTPayload): boolean {
    const isForOthers = Array.isArray(aud) && aud.length > 1;
    if (azp === undefined && !isForOthers) return true;
    const party = azp === undefined ? clientId : azp;
    if (typeof party !== 'string') return false;
    const isAuthorized = this.oidc.authorizedParties.includes(party);
    if (!isAuthorized) this.report(party);
    return isAuthorized;
  }

  private report(party: string): void {
    if (this.reportedParties.has(party) || this.reportedParties.size >= MAX_REPORTED) return;
    this.reportedParties.add(party);
    this.logger.warn(
      `A token for ${JSON.stringify(party)} is refused: OIDC_AUTHORIZED_PARTIES does not list it`,
    );
  }

  /** @throws Problem `invalid_groups`, also if the provider names them elsewhere because there are too many */
  private readGroupsClaim(claims: JWTPayload): Principals {
    const { groupsClaim: name } = this.oidc;
    if (name === undefined) return [];
    const { [name]: groups, _claim_names: elsewhere } = claims;
    if (groups !== undefined) return toGroups(typeof groups === 'string' ? [groups] : groups);
    if (isObject(elsewhere) && Object.hasOwn(elsewhere, name)) throw new Problem('invalid_groups');
    return [];
  }

  private async verifyClaims(token: string, audience: string): Promise<JWTPayload> {
    if (hasEscapedClaim(token)) throw refused();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keys, {
        issuer: this.oidc.issuer,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      if (!isAccessToken(protectedHeader.typ, payload)) throw refused();
      return payload;
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (error instanceof errors.JOSEError) throw refused();
      throw error;
    }
  }
}

/** Reads the scopes of RFC 9068, or the list that some providers use. */
const readScopes = ({ scope, scp }: JWTPayload): unknown[] =>
  [scope ?? scp].flat().flatMap((one) => (typeof one === 'string' ? one.split(' ') : []));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The response is the same whatever is wrong with the token. */
const refused = () =>
  unauthenticated(
    'Bearer error="invalid_token"',
    'The token is invalid, or belongs to another user than X-Idp-User-Id.',
  );
