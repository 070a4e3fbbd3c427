import type { FastifyRequest } from 'fastify';
import type { MemberRole } from '../knowledge-base-member.entity.js';
import type { ManagementScope } from '../management-scope.js';
import type { DashboardUser } from './dashboard-user.js';

/** A key of a service account, as its holder sees it. */
export interface ShownManagementKey {
  readonly id: string;
  readonly scopes: readonly ManagementScope[];
  /** Finds the roles of its service account in knowledge bases that exist. */
  readonly findRoles: () => Promise<readonly { kbId: string; role: MemberRole }[]>;
}

/** Verifies keys of service accounts. Their plugin implements it; without it, such keys are refused. */
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

  /**
   * Finds a key that may be used now. Nothing is counted or written.
   *
   * @throws Problem a 401, `ip_not_allowed` or `verification_busy`
   */
  abstract inspect(secret: string, ip: string): Promise<ShownManagementKey>;
}
