import type { FastifyRequest } from 'fastify';
import type { ManagementScope } from '../management-scope.js';
import type { DashboardUser } from './dashboard-user.js';

/** Verifies keys of service accounts. The API keys' module implements it. */
export abstract class ManagementKeys {
  /**
   * @param required the scope that opens the operation; undefined if there is none
   * @throws Problem a 401, `ip_not_allowed`, `insufficient_scope` or `verification_busy`
   */
  abstract authenticate(
    secret: string,
    request: FastifyRequest,
    required: ManagementScope | undefined,
  ): Promise<DashboardUser>;
}
