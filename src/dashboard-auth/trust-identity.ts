import type { FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { DashboardIdentity } from './dashboard-identity.js';

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** For development: trusts the header from this machine. */
export class TrustIdentity extends DashboardIdentity {
  constructor(private readonly allowAnyHost: boolean) {
    super();
  }

  protected override verify(request: FastifyRequest): void {
    // DNS rebinding: a web page whose name resolves to 127.0.0.1 still sends its own name.
    if (!this.allowAnyHost && !LOOPBACK_HOST.test(request.headers.host ?? '')) {
      throw new Problem('host_not_allowed');
    }
  }
}
