import { Body, Get, Header, Post, Query } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { type Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Idempotent, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Operation } from '../../platform/openapi/operation.js';
import { ApiKeyIssuer } from '../../api-keys/api-key-issuer.js';
import { ApiKeyDto, IssuedApiKeyDto } from '../../api-keys/api-key.dto.js';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { CreateManagementKeyDto, toManagementKey } from './management-key.dto.js';

@DashboardController('Service accounts', 'service-accounts/:sa_id/api-keys')
export class ManagementKeysController {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly issuer: ApiKeyIssuer,
  ) {}

  /**
   * Create a key of a service account
   * @remarks The key gives access to the operations of its scopes as `Authorization: Bearer`, in place of
   * `X-Idp-User-Id`. The secret is shown only this once; repeat a lost request as with *Create an API key*.
   */
  @Post()
  @Access('sa', 'owner', 'persons only')
  @Header('cache-control', 'no-store')
  @Operation({ problems: ['quota_reached'] })
  createManagementKey(
    @CurrentUser() user: DashboardUser,
    @IdParam('sa') id: string,
    @Body() dto: CreateManagementKeyDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<IssuedApiKeyDto> {
    return this.issuer.createFor(user, id, request, toManagementKey(dto));
  }

  /**
   * List the keys of a service account
   * @remarks Shows the prefix, the state and the last use, but never the secret.
   */
  @Get()
  @Access('sa', 'viewer', 'persons only')
  @Operation({ page: ApiKeyDto })
  listManagementKeys(
    @CurrentUser() user: DashboardUser,
    @IdParam('sa') id: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<ApiKeyDto>> {
    return this.apiKeys.list(user, id, query);
  }
}
