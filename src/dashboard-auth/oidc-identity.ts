import type { FastifyRequest } from 'fastify';
import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { OidcConfig } from '../config/dashboard-auth-config.js';
import { Problem } from '../problems/problem.js';
import { DashboardIdentity } from './dashboard-identity.js';
import { ProviderKeys } from './provider-keys.js';
import { unauthenticated } from './unauthenticated.js';

/** Asymmetric only: with a symmetric one, the provider's public key would be the shared secret. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const CLOCK_TOLERANCE_SECONDS = 30;
/** A client token is a JWT too, behind `rag_`; it is never one of the identity provider. */
const BEARER = /^Bearer (?!rag_)([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Trusts the header when a token of the identity provider has the same user as `sub`. */
export class OidcIdentity extends DashboardIdentity {
  private readonly keys: JWTVerifyGetKey;

  constructor(private readonly oidc: OidcConfig) {
    super();
    const keys = new ProviderKeys(oidc);
    this.keys = (header, token) => keys.get(header, token);
  }

  protected override async verify(request: FastifyRequest, userId: string): Promise<void> {
    const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) {
      throw unauthenticated('Bearer', 'The header Authorization has no Bearer token.');
    }
    if ((await this.subjectOf(token)) !== userId) throw refused();
  }

  private async subjectOf(token: string): Promise<string | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.keys, {
        issuer: this.oidc.issuer,
        audience: this.oidc.audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return payload.sub;
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (error instanceof errors.JOSEError) throw refused();
      throw error;
    }
  }
}

/** The same answer whatever is wrong with the token. */
const refused = () =>
  unauthenticated(
    'Bearer error="invalid_token"',
    'The token is not valid, or is for another user than X-Idp-User-Id.',
  );
