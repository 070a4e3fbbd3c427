import type { FastifyRequest } from 'fastify';
import { toComparableName } from '@latchkey/text/person-name';
import { parseBearer } from '../../platform/http/pasted-credential.js';
import { Problem } from '../../platform/problems/problem.js';
import type { Principals } from '../access-rules/principals.js';
import type { ManagedRoute } from '../opens-to.js';
import type { DashboardRequest, DashboardUser } from './dashboard-user.js';
import type { ManagementKeys } from './management-keys.js';
import { hasUserId, readUserId } from './user-id.js';

const MANAGEMENT_KEY = /^rag_admin_/i;

/**
 * Decides whether the headers X-Idp-User-Id and X-Idp-Groups of a request are trusted; each mode has an
 * implementation. Keys of service accounts are accepted in every mode instead of the headers.
 */
export abstract class DashboardIdentity {
  constructor(private readonly managementKeys: ManagementKeys | undefined) {}

  /**
   * Attaches the user of the header, or the service account of the key, to the request.
   *
   * @throws Problem unless the request may speak for that user
   */
  async authenticate(request: DashboardRequest): Promise<DashboardUser> {
    const credential = parseBearer(request.headers.authorization);
    request.dashboardUser =
      credential !== undefined && MANAGEMENT_KEY.test(credential)
        ? await this.authenticateServiceAccount(credential, request)
        : await this.authenticateUser(request);
    return request.dashboardUser;
  }

  /**
   * Authenticates the person for whom an agent acts, by the token that the identity provider issued to it
   * for `/mcp`. It exists only in the mode with a provider.
   *
   * @returns undefined for another credential
   * @throws Problem for a token that is not valid, or lacks the scope
   */
  authenticateAgent?(request: FastifyRequest): Promise<DashboardUser | undefined>;

  /**
   * Authenticates a person by a token that the identity provider has given to the service itself. It exists
   * only in the mode with a provider.
   *
   * @throws Problem for a token that is not valid
   */
  authenticateToken?(token: string, requestId: string): Promise<DashboardUser>;

  private async authenticateUser(request: DashboardRequest): Promise<DashboardUser> {
    const writtenId = readUserId(request.raw.rawHeaders);
    const groups = await this.verify(request, writtenId);
    return { id: toComparableName(writtenId), writtenId, groups, requestId: request.id };
  }

  private async authenticateServiceAccount(
    secret: string,
    request: DashboardRequest,
  ): Promise<DashboardUser> {
    if (hasUserId(request.raw.rawHeaders)) {
      throw new Problem('invalid_user_id', {
        detail: 'A service account acts for itself: do not send X-Idp-User-Id.',
      });
    }
    if (!this.managementKeys) throw new Problem('invalid_api_key');
    const { managementScope } = request.routeOptions.config as ManagedRoute;
    return this.managementKeys.authenticate(secret, request, managementScope);
  }

  /**
   * @param userId the well-formed header value
   * @returns the user's groups, each behind `group:`
   * @throws Problem unless this request may speak for that user
   */
  protected abstract verify(
    request: FastifyRequest,
    userId: string,
  ): Principals | Promise<Principals>;
}
