import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The principal that DashboardAuthGuard attaches to a request. */
export interface DashboardUser {
  readonly id: string;
  /** For the audit. */
  readonly requestId: string;
}

export type DashboardRequest = FastifyRequest & { dashboardUser?: DashboardUser };

export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { dashboardUser } = context.switchToHttp().getRequest<DashboardRequest>();
  if (!dashboardUser) throw new Error('CurrentUser needs DashboardAuthGuard');
  return dashboardUser;
});
