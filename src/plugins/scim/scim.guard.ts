import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { DashboardIdentity } from '../../knowledge-bases/dashboard-auth/dashboard-identity.js';
import type { DashboardRequest } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Problem } from '../../platform/problems/problem.js';

/** Admits only the keys of service accounts. */
@Injectable()
export class ScimGuard implements CanActivate {
  constructor(private readonly identity: DashboardIdentity) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<DashboardRequest>();
    const { serviceAccount } = await this.identity.authenticate(request);
    if (!serviceAccount) {
      const detail = 'SCIM requires the API key of a service account.';
      throw new Problem('insufficient_scope', { detail });
    }
    return true;
  }
}
