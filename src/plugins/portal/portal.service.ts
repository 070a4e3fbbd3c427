import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ApiKeyIssuer } from '../../api-keys/api-key-issuer.js';
import { ApiKeyLookup } from '../../api-keys/api-key-lookup.js';
import { unauthorized } from '../../api-keys/api-key-status.js';
import { ApiKeyTransitions } from '../../api-keys/api-key-transitions.js';
import { lockApiKey } from '../../api-keys/find-api-key.js';
import { type KeyConnections, KnowsKeyConnections } from '../../api-keys/key-connections.js';
import type { KeyViewDto } from '../../api-keys/key-view.dto.js';
import { KeyViewService } from '../../api-keys/key-view.service.js';
import type { IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Problem } from '../../platform/problems/problem.js';
import { KeyUsage } from '../../usage/key-usage.js';
import type { OpenedPortal } from './portal-session.guard.js';
import { PORTAL, toSessionEnd } from './portal-links.service.js';

const USAGE_MS = 30 * 24 * 60 * 60 * 1000;
/** As for members who name no other time. */
const GRACE_SECONDS = 24 * 60 * 60;

/** What the page shows. */
export interface PortalView {
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
    private readonly issuer: ApiKeyIssuer,
    private readonly transitions: ApiKeyTransitions,
    private readonly unitOfWork: UnitOfWork,
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

  /** @throws Problem `self_rotation_off` for a link that does not allow it, or as ApiKeyIssuer */
  async rotate(
    { link, requestId }: OpenedPortal,
    request: IdempotentRequest | undefined,
  ): Promise<PortalRotation> {
    if (!link.mayRotate) throw new Problem('self_rotation_off');
    const actor = { id: PORTAL, requestId };
    const { secret, successor, replacedUntil } = await this.issuer.rotateForHolder(
      ...([actor, link.apiKeyId, request, GRACE_SECONDS] as const),
    );
    return {
      api_key: secret,
      prefix: successor.prefix,
      replaced_until: replacedUntil?.toISOString() ?? null,
    };
  }

  async revoke({ link, requestId }: OpenedPortal): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const key = await lockApiKey(manager, link.apiKeyId);
      const details = { prefix: key.prefix, link_id: link.id };
      await this.transitions.apply(manager, { id: PORTAL, requestId }, 'revoke', key, { details });
    });
  }

  /** @throws Problem `not_found` */
  async disconnect({ link, requestId }: OpenedPortal, connectionId: string): Promise<void> {
    const actor = { id: PORTAL, requestId };
    const isEnded = await this.connections?.endConnection(link.apiKeyId, connectionId, actor);
    if (isEnded !== true) throw new Problem('not_found');
  }
}
