import type { FastifyRequest } from 'fastify';
import { Problem } from '../../platform/problems/problem.js';
import type { Principals } from '../access-rules/principals.js';
import { DashboardIdentity } from './dashboard-identity.js';
import type { ManagementKeys } from './management-keys.js';
import { refuseForeignPage } from './foreign-page.js';
import { readGroups } from './user-groups.js';

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** Trusts the headers of requests from this machine, for development. */
export class TrustIdentity extends DashboardIdentity {
  /** @param origins of web pages that may call */
  constructor(
    private readonly allowAnyHost: boolean,
    private readonly origins: readonly string[],
    managementKeys: ManagementKeys | undefined,
  ) {
    super(managementKeys);
  }

  protected override verify(request: FastifyRequest): Principals {
    // This prevents DNS rebinding: a web page whose name resolves to 127.0.0.1 still sends its own name.
    if (!this.allowAnyHost && !LOOPBACK_HOST.test(request.headers.host ?? '')) {
      throw new Problem('host_not_allowed');
    }
    // A proxy may add the header on account of a cookie.
    refuseForeignPage(request, this.origins);
    return readGroups(request.raw.rawHeaders);
  }
}
