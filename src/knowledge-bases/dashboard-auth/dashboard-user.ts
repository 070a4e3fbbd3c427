import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Principals, userPrincipal } from '../access-rules/principals.js';
import type { MemberRole } from '../knowledge-base-member.entity.js';

/** What was decided by the id in a request's path, before its body was read. */
export interface GrantedAccess {
  readonly resourceId: string;
  readonly kbId: string;
  readonly role: MemberRole;
}

/** The principal that DashboardAuthGuard attaches to a request. */
export interface DashboardUser {
  readonly id: string;
  /** What the identity provider says they belong to, each behind `group:`. */
  readonly groups: Principals;
  /** For the audit. */
  readonly requestId: string;
  readonly access?: GrantedAccess;
}

/** In whose name a user reads documents that have rules. */
export const principalsOf = ({ id, groups }: Pick<DashboardUser, 'id' | 'groups'>): Principals => [
  userPrincipal(id),
  ...groups,
];

export type DashboardRequest = FastifyRequest & { dashboardUser?: DashboardUser };

export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { dashboardUser } = context.switchToHttp().getRequest<DashboardRequest>();
  if (!dashboardUser) throw new Error('CurrentUser needs DashboardAuthGuard');
  return dashboardUser;
});
