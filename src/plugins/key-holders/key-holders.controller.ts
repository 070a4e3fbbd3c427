import { Controller, Header, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { CurrentHeldKey, type HeldKey, KeyViewGuard } from '../../api-keys/key-view.guard.js';
import { RefuseUnreadBodies } from '../../platform/http/refuse-unread-bodies.js';
import { BodyReader, READS_BODY_LAST } from '../../platform/http/request-body.js';
import { AddRouteConfig } from '../../platform/http/nest-metadata.js';
import { succeeded, SuccessDto } from '../../platform/http/success.dto.js';
import { Idempotent, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { API_KEY_SECURITY, MayAnswer, Operation } from '../../platform/openapi/operation.js';
import type { Tag } from '../../platform/openapi/tags.js';
import { Problem } from '../../platform/problems/problem.js';
import { KeyHoldersService } from './key-holders.service.js';
import { type RotatedKeyDto, toRotatedKeyDto } from './rotated-key.dto.js';

@Controller('key')
@UseGuards(KeyViewGuard, BodyReader)
@ApiTags('API keys' satisfies Tag)
@ApiSecurity(API_KEY_SECURITY)
@RefuseUnreadBodies()
@MayAnswer(
  'api_key_required',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'client_token_expired',
  'proof_required',
  'invalid_proof',
  'insufficient_scope',
  'ip_not_allowed',
  'origin_not_allowed',
  'rate_limited',
  'verification_busy',
  'database_unavailable',
)
export class KeyHoldersController {
  constructor(private readonly holders: KeyHoldersService) {}

  /**
   * Rotate your own key
   * @remarks With the key as Bearer, where its members let it (`self_rotation`). The successor has the same
   * rights and limits, and the same life span; its secret is in `api_key`, only this once. The old key works
   * until `replaced_key_expires_at`. If the response is lost, repeat the request with the same
   * `Idempotency-Key` and the old key: the same successor gets a new secret, as long as it was never used.
   */
  @Post('rotate')
  @Header('cache-control', 'no-store')
  @AddRouteConfig(READS_BODY_LAST)
  @Operation({ problems: ['self_rotation_off', 'already_rotated', 'quota_reached'] })
  async rotateKey(
    @CurrentHeldKey() held: HeldKey,
    @Req() { id: requestId }: FastifyRequest,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<RotatedKeyDto> {
    const id = requireKey(held);
    return toRotatedKeyDto(await this.holders.rotate({ id, requestId }, id, { request }));
  }

  /**
   * Revoke your own key
   * @remarks With the key as Bearer. This takes effect at once and cannot be undone: every request that starts
   * after this response is refused with `api_key_revoked`.
   */
  @Post('revoke')
  @HttpCode(200)
  @AddRouteConfig(READS_BODY_LAST)
  @Operation({})
  revokeKey(
    @CurrentHeldKey() held: HeldKey,
    @Req() { id: requestId }: FastifyRequest,
  ): Promise<SuccessDto> {
    const id = requireKey(held);
    return succeeded(this.holders.revoke({ id, requestId }, id));
  }
}

/**
 * The id of the key that was sent itself: it is the actor of what is recorded.
 *
 * @throws Problem `insufficient_scope` for a token that stands for a key
 */
function requireKey(held: HeldKey): string {
  if ('managementKey' in held) return held.managementKey.id;
  if (!held.token) return held.key.id;
  throw new Problem('insufficient_scope', {
    detail: 'Only the key itself may do this, and no token that was made with it.',
  });
}
