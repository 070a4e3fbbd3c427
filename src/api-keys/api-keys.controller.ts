import { Body, Delete, Get, Header, Patch, Post, Query } from '@nestjs/common';
import { Access } from '../knowledge-bases/access.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { DashboardController } from '../knowledge-bases/dashboard-auth/dashboard-controller.js';
import { OpensTo } from '../knowledge-bases/management-scope.js';
import { Operation } from '../platform/openapi/operation.js';
import { Idempotent, type IdempotentRequest } from '../platform/idempotency/idempotency.js';
import type { Page } from '../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../platform/http/success.dto.js';
import { IdParam } from '../platform/http/type-id.js';
import {
  CreateApiKeyDto,
  CreateSharedApiKeyDto,
  ListApiKeysDto,
  RotateApiKeyDto,
  UpdateApiKeyDto,
} from './api-key-requests.dto.js';
import { ApiKeyUsageDto } from './api-key-usage.dto.js';
import { ApiKeyDto, IssuedApiKeyDto } from './api-key.dto.js';
import { ApiKeyIssuer } from './api-key-issuer.js';
import { ApiKeyUsageService } from './api-key-usage.service.js';
import { ApiKeysService } from './api-keys.service.js';
import { KnowledgeBaseRemoval } from './knowledge-base-removal.js';

@DashboardController('API keys')
export class ApiKeysController {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly issuer: ApiKeyIssuer,
    private readonly usage: ApiKeyUsageService,
    private readonly removal: KnowledgeBaseRemoval,
  ) {}

  /**
   * Create an API key
   * @remarks The answer holds the full secret in `api_key`, this once. Store it at once, keep it
   * out of frontends and repositories, and create one per environment or application. When the
   * answer is lost, repeat the request with the same `Idempotency-Key`: the same key comes with a new
   * secret, as long as it was never used.
   */
  @Post('kbs/:kb_id/api-keys')
  @Access('kb', 'member', 'keys:write')
  @Header('cache-control', 'no-store')
  @Operation({ problems: ['quota_reached'] })
  createApiKey(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: CreateApiKeyDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<IssuedApiKeyDto> {
    return this.issuer.create(user, kbId, dto, request);
  }

  /**
   * Create an API key for several knowledge bases
   * @remarks For members of each. The first one is the main one: its settings and limits apply, and its
   * members manage the key. The secret is shown this once, as with *Create an API key*.
   */
  @Post('api-keys')
  @OpensTo('keys:write')
  @Header('cache-control', 'no-store')
  @Operation({ problems: ['quota_reached', 'not_found', 'insufficient_role'] })
  createSharedApiKey(
    @CurrentUser() user: DashboardUser,
    @Body() dto: CreateSharedApiKeyDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<IssuedApiKeyDto> {
    return this.issuer.createShared(user, dto, request);
  }

  /**
   * List the API keys of a knowledge base
   * @remarks By prefix, with state and last use; never the secret.
   */
  @Get('kbs/:kb_id/api-keys')
  @Access('kb', 'viewer', 'keys:read')
  @Operation({ page: ApiKeyDto })
  listApiKeys(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: ListApiKeysDto,
  ): Promise<Page<ApiKeyDto>> {
    return this.apiKeys.list(user, kbId, query);
  }

  /**
   * Get an API key
   * @remarks By prefix, with state and last use; never the secret.
   */
  @Get('api-keys/:key_id')
  @Access('key', 'viewer', 'keys:read')
  getApiKey(@CurrentUser() user: DashboardUser, @IdParam('key') keyId: string): Promise<ApiKeyDto> {
    return this.apiKeys.get(user, keyId);
  }

  /**
   * Change an API key
   * @remarks Fields that are left out stay as they are. The secret stays the same. A key that has a
   * successor may only be ended earlier.
   */
  @Patch('api-keys/:key_id')
  @Access('key', 'member', 'keys:write')
  @Operation({ problems: ['already_rotated', 'quota_reached'] })
  updateApiKey(
    @CurrentUser() user: DashboardUser,
    @IdParam('key') keyId: string,
    @Body() dto: UpdateApiKeyDto,
  ): Promise<ApiKeyDto> {
    return this.apiKeys.update(user, keyId, dto);
  }

  /**
   * Revoke an API key
   * @remarks At once and for good: every request that starts after this answer is refused with
   * `api_key_revoked`. Revoking again answers the same.
   */
  @Patch('api-keys/:key_id/revoke')
  @Access('key', 'member', 'keys:write')
  revokeApiKey(
    @CurrentUser() user: DashboardUser,
    @IdParam('key') keyId: string,
  ): Promise<SuccessDto> {
    return succeeded(this.apiKeys.revoke(user, keyId));
  }

  /**
   * Rotate an API key
   * @remarks A successor with the same settings, its secret in `api_key`, this once. The old key
   * works for the grace period, then stops as `api_key_expired`; with 0 it stops at once.
   */
  @Post('api-keys/:key_id/rotate')
  @Access('key', 'member', 'keys:rotate')
  @Header('cache-control', 'no-store')
  @Operation({
    problems: ['already_rotated', 'quota_reached'],
    statuses: { api_key_revoked: 409 },
  })
  rotateApiKey(
    @CurrentUser() user: DashboardUser,
    @IdParam('key') keyId: string,
    @Body() dto: RotateApiKeyDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<IssuedApiKeyDto> {
    return this.issuer.rotate(user, keyId, dto, request);
  }

  /**
   * See what uses an API key
   * @remarks What would break if it were revoked now, and whether it was still tried after it was.
   */
  @Get('api-keys/:key_id/usage')
  @Access('key', 'viewer', 'keys:read')
  getApiKeyUsage(
    @CurrentUser() user: DashboardUser,
    @IdParam('key') keyId: string,
  ): Promise<ApiKeyUsageDto> {
    return this.usage.get(user, keyId);
  }

  /**
   * Delete an API key
   * @remarks It stops at once and leaves the list; its use is then refused as `invalid_api_key`.
   */
  @Delete('api-keys/:key_id')
  @Access('key', 'member', 'keys:write')
  deleteApiKey(
    @CurrentUser() user: DashboardUser,
    @IdParam('key') keyId: string,
  ): Promise<SuccessDto> {
    return succeeded(this.apiKeys.delete(user, keyId));
  }

  /**
   * Take a knowledge base out of an API key
   * @remarks From the next request on, also of its predecessors and successors. If it is the main one, the
   * next becomes the main one; a key that opens no other one is revoked.
   */
  @Delete('kbs/:kb_id/api-keys/:key_id')
  @Access('kb', 'owner', 'keys:write')
  takeOutOfApiKey(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @IdParam('key') keyId: string,
  ): Promise<SuccessDto> {
    return succeeded(this.removal.takeOut(user, kbId, keyId));
  }
}
