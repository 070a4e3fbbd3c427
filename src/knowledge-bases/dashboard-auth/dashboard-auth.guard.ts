import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { DashboardIdentity } from './dashboard-identity.js';
import { DashboardRequest } from './dashboard-user.js';

/** Authenticates the dashboard user of the header. */
@Injectable()
export class DashboardAuthGuard implements CanActivate {
  constructor(private readonly identity: DashboardIdentity) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.identity.authenticate(context.switchToHttp().getRequest<DashboardRequest>());
    return true;
  }
}
