import { applyDecorators, SetMetadata } from '@nestjs/common';
import { declareProviders } from '../platform/discovery/declared-providers.js';
import type { TypeIdPrefix } from '../platform/openapi/api-fields.js';
import { MayAnswer } from '../platform/openapi/operation.js';
import type { MemberRole } from './knowledge-base-member.entity.js';
import type { DashboardUser, GrantedAccess } from './dashboard-auth/dashboard-user.js';
import { type OpenTo, OpensTo } from './opens-to.js';

const ACCESS = Symbol('access');

/**
 * The kind of resource that an id in a path identifies, by the name of its parameter: a `key` by `:key_id`.
 */
type Resource =
  | 'kb'
  | 'key'
  | 'document'
  | 'conversation'
  | 'evaluation'
  | 'webhook'
  | 'delivery'
  | 'source'
  | 'access_set'
  | 'curated_answer'
  | 'sa'
  | 'trust';

export interface RequiredAccess {
  readonly resource: Resource;
  /** `owner or oneself` admits users of every role if the member in the path is themselves. */
  readonly role: MemberRole | 'owner or oneself';
}

/**
 * Declares the lowest role that a handler of the dashboard requires in the knowledge base of the resource
 * in its path, and which keys of service accounts may use it. AccessGuard decides; services ask
 * KnowledgeBaseAccess again.
 */
export const Access = (resource: Resource, role: RequiredAccess['role'], scope: OpenTo) =>
  applyDecorators(
    OpensTo(scope),
    SetMetadata(ACCESS, { resource, role } satisfies RequiredAccess),
    ...(role === 'viewer' ? [] : [MayAnswer('insufficient_role')]),
    ...(role.startsWith('owner') ? [MayAnswer('owner_required')] : []),
  );

/** The access that a handler declares; undefined for none. */
export const requiredAccess = (handler: object): RequiredAccess | undefined =>
  Reflect.getMetadata(ACCESS, handler) as RequiredAccess | undefined;

/** Finds the knowledge base of a kind of resources. */
export interface AccessOwner {
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

/** Declares the one provider that owns a kind of resources. */
export const OwnsResource = declareProviders<
  AccessOwner,
  { readonly resource: Resource; readonly prefix: TypeIdPrefix }
>();
