import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiKeyAdmission } from '../../api-keys/api-key-admission.js';
import { ApiKeyGuard, type ApiKeyRequest } from '../../api-keys/api-key.guard.js';
import { KeyUses } from '../../api-keys/key-uses.js';
import { DashboardIdentity } from '../../knowledge-bases/dashboard-auth/dashboard-identity.js';
import type { DashboardRequest } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Problem } from '../../platform/problems/problem.js';
import { ProtectedResource } from './protected-resource.js';

export type McpRequest = ApiKeyRequest & DashboardRequest;

/**
 * Authenticates calls of `/mcp` by an API key or, if the identity provider issues tokens for it, by a person's
 * token. The challenge of a refusal tells agents how to sign their person in.
 */
@Injectable()
export class McpGuard extends ApiKeyGuard {
  constructor(
    admission: ApiKeyAdmission,
    uses: KeyUses,
    private readonly identity: DashboardIdentity,
    private readonly resource: ProtectedResource,
  ) {
    super(admission, uses);
  }

  /** @throws Problem as ApiKeyGuard, `invalid_groups` or `identity_provider_unavailable` */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<McpRequest>();
    try {
      const person = await this.identity.authenticateAgent?.(request);
      if (!person) return await super.canActivate(context);
      request.dashboardUser = person;
      return true;
    } catch (error) {
      throw this.withChallenge(error, request);
    }
  }

  /** Builds the challenge of RFC 6750 and RFC 9728. */
  private withChallenge(error: unknown, request: McpRequest): unknown {
    const described = this.resource.describe(request);
    if (!described || !(error instanceof Problem)) return error;
    // The challenge says what is wrong with the proof.
    if (error.code === 'proof_required' || error.code === 'invalid_proof') return error;
    const { metadataUrl, scope } = described;
    const hasCredential = request.headers.authorization !== undefined;
    const status = error.getStatus();
    if (status !== 401 && error.code !== 'insufficient_scope') return error;
    const parameters = {
      ...(status === 403 && { error: 'insufficient_scope' }),
      ...(status === 401 && hasCredential && { error: 'invalid_token' }),
      ...(scope !== undefined && { scope }),
      resource_metadata: metadataUrl,
    };
    const listed = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
    const headers = { 'www-authenticate': `Bearer ${listed.join(', ')}` };
    return error.code === 'dashboard_authentication_required'
      ? new Problem('invalid_api_key', {
          detail: 'The token is not valid for this service.',
          headers,
        })
      : error.with({ headers });
  }
}
