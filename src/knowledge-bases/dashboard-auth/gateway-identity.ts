import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../../platform/config/dashboard-auth-config.js';
import { isIpAllowed } from '../../platform/config/ip-address.js';
import type { Principals } from '../access-rules/principals.js';
import { DashboardIdentity } from './dashboard-identity.js';
import type { ManagementKeys } from './management-keys.js';
import { refuseForeignPage } from './foreign-page.js';
import { unauthenticated } from './unauthenticated.js';
import { readGroups } from './user-groups.js';

/** Trusts the headers of requests from the gateway: from its address, and with its secret. */
export class GatewayIdentity extends DashboardIdentity {
  private readonly secrets: readonly Buffer[];

  /** @param origins of web pages that may call */
  constructor(
    private readonly gateway: GatewayConfig,
    private readonly origins: readonly string[],
    managementKeys: ManagementKeys | undefined,
  ) {
    super(managementKeys);
    this.secrets = gateway.secrets.map(digest);
  }

  protected override verify(request: FastifyRequest): Principals {
    // The address is that of the socket, because a client can write anything into X-Forwarded-For.
    const peer = request.socket.remoteAddress ?? '';
    const secret = request.headers['x-gateway-secret'];
    // Both are always checked, so that the time does not reveal which one failed.
    const isFromGateway = isIpAllowed(peer, this.gateway.cidrs);
    const hasSecret = typeof secret === 'string' && this.isSecret(digest(secret));
    if (!isFromGateway || !hasSecret) {
      throw unauthenticated('GatewaySecret', 'The request did not come through a trusted gateway.');
    }
    refuseForeignPage(request, this.origins);
    return readGroups(request.raw.rawHeaders);
  }

  /** Compares in constant time: digests have one length, and all of them are compared. */
  private isSecret(presented: Buffer): boolean {
    return this.secrets.map((secret) => timingSafeEqual(secret, presented)).includes(true);
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();
