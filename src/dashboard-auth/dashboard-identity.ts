import type { FastifyRequest } from 'fastify';

/** Says how far the X-Idp-User-Id header of a request is trusted: one implementation per mode. */
export abstract class DashboardIdentity {
  /**
   * @param userId the well-formed header value
   * @throws Problem unless this request may speak for that user
   */
  abstract vouch(request: FastifyRequest, userId: string): void | Promise<void>;
}
