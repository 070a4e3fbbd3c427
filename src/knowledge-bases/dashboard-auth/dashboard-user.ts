import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { EntityManager } from 'typeorm';
import { type Principals, userPrincipal } from '../access-rules/principals.js';
import type { MemberRole } from '../knowledge-base-member.entity.js';

/** What was decided by the id in a request's path, before its body was read. */
export interface GrantedAccess {
  readonly resourceId: string;
  readonly kbId: string;
  readonly role: MemberRole;
  /** That an identity provider has pushed. Whether they are still members is asked of the database. */
  readonly pushedGroups: Principals;
}

/** What a key of a service account adds to the principal. */
export interface ServiceAccountPrincipal {
  /** The key that is used. */
  readonly keyId: string;
  /** Whether it may create knowledge bases. */
  readonly createsKnowledgeBases: boolean;
  /** The person who made the service account. */
  readonly createdBy: string;
  /**
   * Locks the key until the transaction ends: a revocation either comes before, and the change is
   * refused, or waits for it.
   *
   * @throws Problem as for a new request with the key
   */
  readonly confirm: (manager: EntityManager) => Promise<void>;
}

/** The principal that DashboardAuthGuard attaches to a request. */
export interface DashboardUser {
  /** Of a person, as it is compared, or of a service account. */
  readonly id: string;
  /** The person's as the identity provider writes it, where it is shown; else `id` is. */
  readonly writtenId?: string;
  /** What the identity provider says they belong to, each behind `group:`. */
  readonly groups: Principals;
  /** For the audit. */
  readonly requestId: string;
  readonly access?: GrantedAccess;
  /** Undefined for a person. */
  readonly serviceAccount?: ServiceAccountPrincipal;
}

/** In whose name a user reads documents that have rules. */
export const getPrincipals = ({
  id,
  groups,
  access,
}: Pick<DashboardUser, 'id' | 'groups' | 'access'>): Principals => [
  userPrincipal(id),
  ...groups,
  ...(access?.pushedGroups ?? []),
];

export type DashboardRequest = FastifyRequest & { dashboardUser?: DashboardUser };

export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { dashboardUser } = context.switchToHttp().getRequest<DashboardRequest>();
  if (!dashboardUser) throw new Error('CurrentUser needs DashboardAuthGuard');
  return dashboardUser;
});
