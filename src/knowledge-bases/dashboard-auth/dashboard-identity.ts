import type { FastifyRequest } from 'fastify';
import { discardBody } from '../../platform/http/discard-body.js';
import type { DashboardRequest, DashboardUser } from './dashboard-user.js';
import { readUserId } from './user-id.js';

/** Decides whether the X-Idp-User-Id header of a request is trusted: one implementation per mode. */
export abstract class DashboardIdentity {
  /**
   * For requests whose body is not yet read: authenticates those to a route of the dashboard.
   *
   * @throws Problem as `authenticate`
   */
  async authenticateByHeader(request: DashboardRequest): Promise<void> {
    if (!('dashboard' in request.routeOptions.config)) return;
    try {
      await this.authenticate(request);
    } catch (error) {
      discardBody(request.raw);
      throw error;
    }
  }

  /**
   * Attaches the user of the header to the request, which is verified once.
   *
   * @throws Problem unless the request may speak for that user
   */
  async authenticate(request: DashboardRequest): Promise<DashboardUser> {
    if (request.dashboardUser) return request.dashboardUser;
    const id = readUserId(request.raw.rawHeaders);
    await this.verify(request, id);
    request.dashboardUser = { id, requestId: request.id };
    return request.dashboardUser;
  }

  /**
   * @param userId the well-formed header value
   * @throws Problem unless this request may speak for that user
   */
  protected abstract verify(request: FastifyRequest, userId: string): void | Promise<void>;
}
