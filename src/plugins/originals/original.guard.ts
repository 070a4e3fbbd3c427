import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import { AccessGuard } from '../../knowledge-bases/access.guard.js';
import { DashboardAuthGuard } from '../../knowledge-bases/dashboard-auth/dashboard-auth.guard.js';
import type {
  DashboardRequest,
  DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { clientIp } from '../../platform/config/ip-address.js';
import { type LinkClaims, OriginalLinks } from './original-links.js';

/** The holder of a link, and their address. */
export interface LinkHolder {
  readonly claims: LinkClaims;
  readonly ip: string;
}

type OriginalRequest = DashboardRequest & { linkHolder?: LinkHolder };

/** Authenticates by the link if there is one, otherwise as a dashboard user with access to the document. */
@Injectable()
export class OriginalGuard implements CanActivate {
  constructor(
    private readonly links: OriginalLinks,
    private readonly users: DashboardAuthGuard,
    private readonly access: AccessGuard,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<OriginalRequest>();
    const { link } = request.query as Record<string, unknown>;
    if (link === undefined) {
      return (await this.users.canActivate(context)) && this.access.canActivate(context);
    }
    const { document_id: documentId = '' } = request.params as Record<string, string>;
    request.linkHolder = { claims: this.links.verify(link, documentId), ip: clientIp(request) };
    return true;
  }
}

export const CurrentReader = createParamDecorator(
  (_: unknown, context: ExecutionContext): DashboardUser | LinkHolder => {
    const { dashboardUser, linkHolder } = context.switchToHttp().getRequest<OriginalRequest>();
    const reader = linkHolder ?? dashboardUser;
    if (!reader) throw new Error('CurrentReader needs OriginalGuard');
    return reader;
  },
);
