import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientIp } from '../../platform/config/ip-address.js';
import { quotaHeaders, RateLimiter } from '../../api-keys/rate-limiter.js';

const LIMIT_PER_MINUTE = 60;

/**
 * Limits leak reports by address, because the operation is open to everybody and looks up each reported
 * secret.
 */
@Injectable()
export class LeakReportLimit implements CanActivate {
  constructor(private readonly rateLimiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const ip = clientIp(http.getRequest<FastifyRequest>());
    const quota = await this.rateLimiter.consumeForAddress('leaked-api-keys', ip, LIMIT_PER_MINUTE);
    http.getResponse<FastifyReply>().headers(quotaHeaders(quota));
    return true;
  }
}
