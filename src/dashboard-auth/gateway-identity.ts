import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/dashboard-auth-config.js';
import { isIpAllowed } from '../config/ip-address.js';
import { DashboardIdentity } from './dashboard-identity.js';
import { unauthenticated } from './unauthenticated.js';

/** The header is believed when a gateway of ours sent it: from its address, and with its secret. */
export class GatewayIdentity extends DashboardIdentity {
  private readonly secrets: readonly Buffer[];

  constructor(private readonly gateway: GatewayConfig) {
    super();
    this.secrets = gateway.secrets.map(digest);
  }

  protected override vouch(request: FastifyRequest): void {
    // The socket's own address: X-Forwarded-For is the client's to write.
    const peer = request.socket.remoteAddress ?? '';
    const secret = request.headers['x-gateway-secret'];
    // Both are always looked at, so that time tells nothing of which one failed.
    const known = typeof secret === 'string' && this.isSecret(digest(secret));
    if (!isIpAllowed(peer, this.gateway.cidrs) || !known) {
      throw unauthenticated('GatewaySecret', 'The request did not come through a trusted gateway.');
    }
  }

  /** In constant time, whatever the lengths: digests are compared, and all of them. */
  private isSecret(presented: Buffer): boolean {
    return this.secrets.map((secret) => timingSafeEqual(secret, presented)).includes(true);
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();
