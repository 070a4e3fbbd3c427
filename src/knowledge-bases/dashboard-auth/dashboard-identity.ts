import type { FastifyRequest } from 'fastify';
import { discardBody } from '../../platform/http/discard-body.js';
import type { Principals } from '../access-rules/principals.js';
import type { DashboardRequest, DashboardUser } from './dashboard-user.js';
import { readUserId } from './user-id.js';

/** Decides whether the headers X-Idp-User-Id and X-Idp-Groups of a request are trusted: one implementation per mode. */
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
    const groups = await this.verify(request, id);
    request.dashboardUser = { id, groups, requestId: request.id };
    return request.dashboardUser;
  }

  /**
   * @param userId the well-formed header value
   * @returns the user's groups, each behind `group:`
   * @throws Problem unless this request may speak for that user
   */
  protected abstract verify(
    request: FastifyRequest,
    userId: string,
  ): Principals | Promise<Principals>;
}
