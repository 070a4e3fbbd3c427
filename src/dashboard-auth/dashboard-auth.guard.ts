import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { DashboardIdentity } from './dashboard-identity.js';
import { DashboardRequest } from './dashboard-user.js';
import { readUserId } from './user-id.js';

/** Credential 1: lets a request through as the user of its header, or not at all. */
@Injectable()
export class DashboardAuthGuard implements CanActivate {
  constructor(private readonly identity: DashboardIdentity) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<DashboardRequest>();
    const id = readUserId(request.raw.rawHeaders);
    await this.identity.vouch(request, id);
    request.dashboardUser = { id, requestId: request.id };
    return true;
  }
}
