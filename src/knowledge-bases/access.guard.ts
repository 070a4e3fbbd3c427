import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { toComparableName } from '@latchkey/text/person-name';
import { type RequiredAccess, requiredAccess } from './access.js';
import type { DashboardRequest, DashboardUser } from './dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess, requireRole } from './knowledge-base-access.js';
import type { MemberRole } from './knowledge-base-member.entity.js';
import { ResourceResolvers } from './resource-resolvers.js';

/**
 * Admits dashboard users who have the access that the handler declares. BodyReader comes after it: without
 * access a body is refused unread, and nobody else learns what is wrong with it.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly resolvers: ResourceResolvers,
    private readonly access: KnowledgeBaseAccess,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<DashboardRequest>();
    const required = requiredAccess(context.getHandler());
    if (required) await this.require(request, required);
    return true;
  }

  private async require(request: DashboardRequest, required: RequiredAccess): Promise<void> {
    const { dashboardUser: user } = request;
    if (!user) throw new Error('AccessGuard needs DashboardAuthGuard');
    const params = request.params as Record<string, string>;
    const resourceId = params[`${required.resource}_id`] ?? '';
    const { resource } = required;
    const found = await this.resolvers.findKbId(resource, resourceId);
    // A missing resource costs as many statements as a hidden one, so that the time does not reveal it.
    const kbId = found ?? '';
    const role = await this.access.findRole(user, kbId);
    const pushedGroups = this.resolvers.exposeDocuments(resource)
      ? await this.access.pushedGroups(user, kbId)
      : [];
    const granted = { ...user, access: { resourceId, kbId, role: role ?? 'viewer', pushedGroups } };
    const isReader = role === undefined || role === 'viewer';
    if (isReader) await this.resolvers.requireVisible(resource, granted, found);
    requireRole(leastRole(required, params, user), role);
    request.dashboardUser = granted;
  }
}

function leastRole(
  { role }: RequiredAccess,
  { user_id: named = '' }: Record<string, string>,
  user: DashboardUser,
): MemberRole {
  if (role !== 'owner or oneself') return role;
  return toComparableName(named) === user.id ? 'viewer' : 'owner';
}
