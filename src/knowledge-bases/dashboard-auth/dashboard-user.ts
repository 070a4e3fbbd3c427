import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { EntityManager } from 'typeorm';
import { type Principals, userPrincipal } from '../access-rules/principals.js';
import type { MemberRole } from '../knowledge-base-member.entity.js';

/** The access that was decided by the id in a request's path, before its body was read. */
export interface GrantedAccess {
  readonly resourceId: string;
  readonly kbId: string;
  readonly role: MemberRole;
  /**
   * The groups pushed by an identity provider. Whether the user is still in them is asked of the database.
   */
  readonly pushedGroups: Principals;
}

/** The additional fields of a principal that is a service account. */
export interface ServiceAccountPrincipal {
  /** The key that is used. */
  readonly keyId: string;
  /** Whether it may create knowledge bases. */
  readonly createsKnowledgeBases: boolean;
  /** The person who created the service account. */
  readonly createdBy: string;
  /**
   * Locks the key until the transaction ends. A revocation is either committed before, and the change is
   * refused, or it waits for the change.
   *
   * @throws Problem as for a new request with the key
   */
  readonly confirm: (manager: EntityManager) => Promise<void>;
  /** Finds the persons and groups in charge of it; nobody unless there is a person among them. */
  readonly findPersonsInCharge: (manager: EntityManager) => Promise<string[]>;
}

/** The principal that DashboardAuthGuard attaches to a request. */
export interface DashboardUser {
  /** The id of a person, in the form in which it is compared, or of a service account. */
  readonly id: string;
  /** The id of a person as the identity provider writes it, to show it; if missing, `id` is shown. */
  readonly writtenId?: string;
  /** The groups that the identity provider names, each with the prefix `group:`. */
  readonly groups: Principals;
  /** The request id for audit events. */
  readonly requestId: string;
  readonly access?: GrantedAccess;
  /** Undefined for a person. */
  readonly serviceAccount?: ServiceAccountPrincipal;
}

/** The principals that a user reads documents as. */
export const getPrincipals = ({
  id,
  groups,
  access,
}: Pick<DashboardUser, 'id' | 'groups' | 'access'>): Principals => [
  userPrincipal(id),
  ...groups,
  ...(access?.pushedGroups ?? []),
];

export type DashboardRequest = FastifyRequest & {
  dashboardUser?: DashboardUser;
  /** The user whom a valid token of the identity provider names. */
  tokenUser?: string;
};

export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { dashboardUser } = context.switchToHttp().getRequest<DashboardRequest>();
  if (!dashboardUser) throw new Error('CurrentUser needs DashboardAuthGuard');
  return dashboardUser;
});
