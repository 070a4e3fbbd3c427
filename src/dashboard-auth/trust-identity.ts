import type { FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { DashboardIdentity } from './dashboard-identity.js';

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** For development: the header is taken as it is, from this machine. */
export class TrustIdentity extends DashboardIdentity {
  constructor(private readonly allowAnyHost: boolean) {
    super();
  }

  protected override vouch(request: FastifyRequest): void {
    // A web page whose name was rebound to 127.0.0.1 still sends its own name.
    if (!this.allowAnyHost && !LOOPBACK_HOST.test(request.headers.host ?? '')) {
      throw new Problem('host_not_allowed');
    }
  }
}
