import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { declareProviders } from '../platform/discovery/declared-providers.js';
import type { TypeIdPrefix } from '../platform/openapi/api-fields.js';
import { MayAnswer } from '../platform/openapi/operation.js';
import type { MemberRole } from './knowledge-base-member.entity.js';
import type { DashboardUser, GrantedAccess } from './dashboard-auth/dashboard-user.js';
import { type OpenTo, OpensTo } from './opens-to.js';

const ACCESS = Symbol('access');

export interface RequiredAccess {
  /** The kind of the resource in the path, by the name of its parameter: a `key` by `:key_id`. */
  readonly resource: string;
  /** `owner or oneself` admits users of every role if the member in the path is themselves. */
  readonly role: MemberRole | 'owner or oneself';
}

/**
 * Declares the lowest role that a handler of the dashboard requires in the knowledge base of the resource
 * in its path, and which keys of service accounts may use it. AccessGuard decides; services ask
 * KnowledgeBaseAccess again.
 */
export const Access = (resource: string, role: RequiredAccess['role'], scope: OpenTo) =>
  applyDecorators(
    OpensTo(scope),
    SetMetadata(ACCESS, { resource, role } satisfies RequiredAccess),
    ...(role === 'viewer' ? [] : [MayAnswer('insufficient_role')]),
    ...(role.startsWith('owner') ? [MayAnswer('owner_required')] : []),
  );

/** The access that a handler declares; undefined for none. */
export const requiredAccess = (handler: object): RequiredAccess | undefined =>
  Reflect.getMetadata(ACCESS, handler) as RequiredAccess | undefined;

/**
 * Decides access to resources that belong to no knowledge base, such as service accounts. Their own id is the
 * `kbId` wherever access is decided and events are recorded.
 */
export interface StandaloneAccess {
  /** SQL: the ids of the resources whose events a user may see, with `toMembershipParameters`. */
  readonly visibleIds: string;

  /**
   * Finds the roles of a user for such a resource.
   *
   * @param lock whether the memberships that the answer follows from are locked until the transaction ends
   */
  findRoles(
    manager: EntityManager,
    user: DashboardUser,
    id: string,
    options: { readonly lock: boolean },
  ): Promise<readonly { readonly role: MemberRole }[]>;

  /**
   * Locks the resource until the transaction ends.
   *
   * @returns false when it does not exist
   */
  lock(manager: EntityManager, id: string): Promise<boolean>;
}

/** Finds the knowledge base of a kind of resources. */
export interface ResourceResolver {
  /** Only for resources that belong to no knowledge base; `findKbId` then returns their own id. */
  readonly standaloneAccess?: StandaloneAccess;

  /** @returns undefined when the resource does not exist */
  findKbId(id: string): Promise<string | undefined>;

  /**
   * Missing if viewers see all resources of this kind.
   *
   * @param kbId undefined when the resource does not exist: that is found out by as many statements
   */
  isVisible?(
    user: DashboardUser & { readonly access: GrantedAccess },
    kbId: string | undefined,
  ): Promise<boolean>;
}

/** Declares the one provider that resolves the ids of a kind of resources. */
export const ResolvesResource = declareProviders<
  ResourceResolver,
  {
    readonly resource: string;
    readonly prefix: TypeIdPrefix;
    /** Whether such resources expose no content of documents; false unless given. */
    readonly withoutDocuments?: boolean;
  }
>();
