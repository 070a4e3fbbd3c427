import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { quotaHeaders, RateLimiter } from '../api-keys/rate-limiter.js';
import type { DashboardRequest } from '../knowledge-bases/dashboard-auth/dashboard-user.js';

export const LIMIT_PER_MINUTE = 60;

/** Limits each user over all of their knowledge bases, because searches and models cost the operator. */
@Injectable()
export class PlaygroundLimit implements CanActivate {
  constructor(private readonly rateLimiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { dashboardUser } = http.getRequest<DashboardRequest>();
    if (!dashboardUser) throw new Error('PlaygroundLimit needs DashboardAuthGuard');
    const { id } = dashboardUser;
    const quota = await this.rateLimiter.consumeForUser('playground', id, LIMIT_PER_MINUTE);
    http.getResponse<FastifyReply>().headers(quotaHeaders(quota));
    return true;
  }
}
