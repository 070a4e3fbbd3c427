import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ApiKeyLookup } from '../../api-keys/api-key-lookup.js';
import { unauthorized } from '../../api-keys/api-key-status.js';
import { type KeyConnections, KnowsKeyConnections } from '../../api-keys/key-connections.js';
import type { KeyViewDto } from '../../api-keys/key-view.dto.js';
import { KeyViewService } from '../../api-keys/key-view.service.js';
import type { IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Problem } from '../../platform/problems/problem.js';
import { KeyUsage } from '../../usage/key-usage.js';
import { KeyHoldersService } from '../key-holders/key-holders.service.js';
import type { OpenedPortal } from './portal-session.guard.js';
import { PORTAL, toSessionEnd } from './portal-links.service.js';

const USAGE_MS = 30 * 24 * 60 * 60 * 1000;
/** The overlap of a key without `self_rotation`; members get the same by default. */
const GRACE_SECONDS = 24 * 60 * 60;

/** What the page shows. */
export interface PortalView {
  readonly link_id: string;
  readonly recipient: string | null;
  readonly session_ends_at: string;
  readonly prefix: string;
  /** As `GET /key` shows it. */
  readonly key: KeyViewDto;
  /** How long the key would work after its rotation, in seconds; null if it cannot be rotated here. */
  readonly rotation_grace_seconds: number | null;
  /** When the key was rotated and stops; null if it was not. */
  readonly replaced_until: string | null;
  readonly has_agents: boolean;
}

/** A successor, with its secret. */
export interface PortalRotation {
  /** Whether each request with the key needs a proof of a key pair. */
  readonly is_bound: boolean;
  readonly api_key: string;
  readonly prefix: string;
  readonly replaced_until: string | null;
}

/** What the holder of a key sees and does on the page of a link. */
@Injectable()
export class PortalService implements OnModuleInit {
  private connections: KeyConnections | undefined;

  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly views: KeyViewService,
    private readonly usage: KeyUsage,
    private readonly holders: KeyHoldersService,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.connections = KnowsKeyConnections.find(this.discovery)[0]?.instance;
  }

  async get({ link }: OpenedPortal): Promise<PortalView> {
    const { apiKey } = link;
    const key = await this.lookup.findById(apiKey.id, undefined);
    if (!key) throw unauthorized('invalid_api_key');
    const isReplaced = apiKey.rotatedTo !== null;
    return {
      link_id: link.id,
      recipient: link.recipient,
      session_ends_at: toSessionEnd(link.openedAt).toISOString(),
      prefix: apiKey.prefix,
      key: await this.views.get({ key }),
      rotation_grace_seconds:
        link.mayRotate && !isReplaced ? (apiKey.selfRotationGraceSeconds ?? GRACE_SECONDS) : null,
      replaced_until: isReplaced ? (apiKey.expiresAt?.toISOString() ?? null) : null,
      has_agents: this.connections !== undefined,
    };
  }

  /** @returns the days with requests, of the last 30 */
  countByDay({ link }: OpenedPortal, offsetMinutes: number) {
    const since = new Date(Date.now() - USAGE_MS);
    return this.usage.requestsByDay(link.apiKeyId, since, offsetMinutes);
  }

  /** @throws Problem `self_rotation_off` for a link that does not allow it, or as ApiKeyIssuer.rotateForHolder */
  async rotate(
    { link, requestId }: OpenedPortal,
    request: IdempotentRequest | undefined,
  ): Promise<PortalRotation> {
    if (!link.mayRotate) throw new Problem('self_rotation_off');
    const actor = { id: PORTAL, requestId };
    const details = { link_id: link.id };
    const rotation = { request, graceSeconds: GRACE_SECONDS, details };
    const rotated = await this.holders.rotate(actor, link.apiKeyId, rotation);
    return {
      api_key: rotated.secret,
      prefix: rotated.successor.prefix,
      is_bound: rotated.successor.dpopJkt !== null,
      replaced_until: rotated.replacedUntil?.toISOString() ?? null,
    };
  }

  revoke({ link, requestId }: OpenedPortal): Promise<void> {
    const actor = { id: PORTAL, requestId };
    return this.holders.revoke(actor, link.apiKeyId, { link_id: link.id });
  }

  /** @throws Problem `not_found` */
  async disconnect({ link, requestId }: OpenedPortal, connectionId: string): Promise<void> {
    const actor = { id: PORTAL, requestId };
    const isEnded = await this.connections?.endConnection(link.apiKeyId, connectionId, actor);
    if (isEnded !== true) throw new Problem('not_found');
  }
}
