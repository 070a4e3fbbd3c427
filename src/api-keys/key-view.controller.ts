import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { AddRouteConfig } from '../platform/http/nest-metadata.js';
import type { Tag } from '../platform/openapi/tags.js';
import { API_KEY_SECURITY, Operation } from '../platform/openapi/operation.js';
import type { KeyViewDto } from './key-view.dto.js';
import { CurrentHeldKey, type HeldKey, KeyViewGuard } from './key-view.guard.js';
import { KeyViewService } from './key-view.service.js';

@Controller('key')
@UseGuards(KeyViewGuard)
@ApiTags('API keys' satisfies Tag)
@ApiSecurity(API_KEY_SECURITY)
export class KeyViewController {
  constructor(private readonly views: KeyViewService) {}

  /**
   * See what your own key may do
   * @remarks With an API key, a client token or a key of a service account: its rights and what remains of
   * its limits. This changes nothing and does not count as a use of the key. At most 120 requests a minute.
   */
  @Get()
  @Header('cache-control', 'no-store')
  @AddRouteConfig({ anyOrigin: true })
  @Operation({
    problems: [
      'api_key_required',
      'invalid_api_key',
      'api_key_revoked',
      'api_key_expired',
      'client_token_expired',
      'proof_required',
      'invalid_proof',
      'ip_not_allowed',
      'origin_not_allowed',
      'rate_limited',
      'verification_busy',
      'database_unavailable',
    ],
  })
  getKey(@CurrentHeldKey() held: HeldKey): Promise<KeyViewDto> {
    return this.views.get(held);
  }
}
