import { Body, Delete, Get, Header, Patch, Post, Query } from '@nestjs/common';
import { Access } from '../knowledge-bases/access.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { DashboardController } from '../knowledge-bases/dashboard-auth/dashboard-controller.js';
import { OpensTo } from '../knowledge-bases/opens-to.js';
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
   * @remarks The response contains the full secret in `api_key`, only this once. Store it immediately, keep
   * it out of frontends and repositories, and create one key per environment or application. If the
   * response is lost, repeat the request with the same `Idempotency-Key`: the same key is returned with a
   * new secret, as long as it was never used.
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
   * @remarks For members of each of them. The first one is the main one: its settings and limits apply, and
   * its members manage the key. The secret is shown only this once, as with *Create an API key*.
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
   * @remarks Shows the prefix, the state and the last use, but never the secret.
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
   * @remarks Shows the prefix, the state and the last use, but never the secret.
   */
  @Get('api-keys/:key_id')
  @Access('key', 'viewer', 'keys:read')
  getApiKey(@CurrentUser() user: DashboardUser, @IdParam('key') keyId: string): Promise<ApiKeyDto> {
    return this.apiKeys.get(user, keyId);
  }

  /**
   * Change an API key
   * @remarks Fields that are left out are not changed. The secret stays the same. The expiry of a key that
   * has a successor can only be moved to an earlier time.
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
   * @remarks This takes effect at once and cannot be undone: every request that starts after this response
   * is refused with `api_key_revoked`. Revoking a key again returns the same response.
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
   * @remarks Creates a successor with the same settings and returns its secret in `api_key`, only this
   * once. The old key works for the grace period and then stops with `api_key_expired`; with 0 it stops at
   * once.
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
   * @remarks Shows what would break if it were revoked now, and whether it has been used since it was
   * revoked.
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
   * @remarks The key stops at once and disappears from the list. Requests with it are then refused with
   * `invalid_api_key`.
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
   * @remarks This takes effect from the next request on, also for its predecessors and successors. If it is
   * the main one, the next one takes its place; a key without another knowledge base is revoked.
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
