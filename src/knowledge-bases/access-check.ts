import { Injectable } from '@nestjs/common';
import { DashboardIdentity } from './dashboard-auth/dashboard-identity.js';
import type { DashboardRequest, DashboardUser } from './dashboard-auth/dashboard-user.js';
import { AddRouteConfig } from '../platform/http/add-route-config.js';
import { discardBody } from '../platform/http/discard-body.js';
import { Problem } from '../platform/problems/problem.js';
import { isTypeId } from '../platform/http/type-id.js';
import type { TypeIdPrefix } from '../platform/openapi/api-fields.js';
import type { MemberRole } from './knowledge-base-member.entity.js';
import { KnowledgeBaseAccess } from './knowledge-base-access.js';

/** Marks a route that only owners of the knowledge base may use. */
export const OwnersOnly = () => AddRouteConfig({ ownersOnly: true });

/** The same, but that every user may use it for the member that the path names, if it is themselves. */
export const OwnersAndOneself = () => AddRouteConfig({ ownersOnly: true, oneself: true });

/** Marks a route that reads only, though its method is not GET: every role may use it. */
export const EveryRole = () => AddRouteConfig({ everyRole: true });

/** The resource that the id in a path such as `/api/v1/documents/:document_id` identifies. */
interface Resource {
  readonly parameter: string;
  readonly prefix: TypeIdPrefix;
  /** The knowledge base that it belongs to; undefined when it does not exist. */
  readonly kbIdOf: (id: string) => Promise<string | undefined>;
}

/**
 * Decides on access by the id in a request's path, before the body is read: an upload without access
 * is refused unread. Services ask KnowledgeBaseAccess again.
 */
@Injectable()
export class AccessCheck {
  /** By the first path segment after `/api/v1`. */
  private readonly resources = new Map<string, Resource>();

  constructor(
    private readonly identity: DashboardIdentity,
    private readonly access: KnowledgeBaseAccess,
  ) {
    this.register('kbs', { parameter: 'kb_id', prefix: 'kb', kbIdOf: (id) => Promise.resolve(id) });
  }

  /** Features register the first path segment of their routes. */
  register(segment: string, resource: Resource): void {
    this.resources.set(segment, resource);
  }

  /** Whether `check` authenticates the requests of a route. */
  covers(url: string): boolean {
    return this.resources.has(segmentOf(url));
  }

  /** @throws Problem when the user may not use the request's route */
  async check(request: DashboardRequest): Promise<void> {
    const resource = this.resources.get(segmentOf(request.routeOptions.url ?? ''));
    if (!resource) return;
    try {
      await this.requireAccess(request, resource);
    } catch (error) {
      discardBody(request.raw);
      throw error;
    }
  }

  private async requireAccess(
    request: DashboardRequest,
    { parameter, prefix, kbIdOf }: Resource,
  ): Promise<void> {
    const user = await this.identity.authenticate(request);
    const id = (request.params as Record<string, string>)[parameter];
    // `GET /kbs` and `POST /kbs` have no id.
    if (id === undefined) return;
    const kbId = isTypeId(prefix, id) ? await kbIdOf(id) : undefined;
    if (kbId === undefined) throw new Problem('not_found');
    const role = await this.access.require(user, kbId, requiredRole(request, user));
    request.dashboardUser = { ...user, access: { resourceId: id, kbId, role } };
  }
}

const segmentOf = (url: string): string => url.split('/')[3] ?? '';

function requiredRole(
  { method, params, routeOptions: { config } }: DashboardRequest,
  user: DashboardUser,
): MemberRole {
  const { user_id: named } = params as Record<string, string>;
  if ('oneself' in config && named === user.id) return 'viewer';
  if ('ownersOnly' in config) return 'owner';
  return method === 'GET' || method === 'HEAD' || 'everyRole' in config ? 'viewer' : 'member';
}
