import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Who asks on the dashboard's side: the principal that DashboardAuthGuard attaches. */
export interface DashboardUser {
  readonly id: string;
  /** Of the request that this is about; for the audit. */
  readonly requestId: string;
}

export type DashboardRequest = FastifyRequest & { dashboardUser?: DashboardUser };

export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { dashboardUser } = context.switchToHttp().getRequest<DashboardRequest>();
  if (!dashboardUser) throw new Error('CurrentUser needs DashboardAuthGuard');
  return dashboardUser;
});
