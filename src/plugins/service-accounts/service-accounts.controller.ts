import { Body, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { Idempotent, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { type Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../../platform/http/success.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { OpensTo } from '../../knowledge-bases/opens-to.js';
import {
  CreateServiceAccountDto,
  ServiceAccountDto,
  UpdateServiceAccountDto,
} from './service-account.dto.js';
import { ServiceAccountsService } from './service-accounts.service.js';

/** Only persons may call it: a service account that could create another would outlive its own revocation. */
@DashboardController('Service accounts', 'service-accounts')
export class ServiceAccountsController {
  constructor(private readonly serviceAccounts: ServiceAccountsService) {}

  /**
   * Create a service account
   * @remarks Only owners of its knowledge bases can create it. It stays when you leave; then the other
   * owners of all its knowledge bases are in charge of it.
   */
  @Post()
  @OpensTo('persons only')
  @Operation({ problems: ['owner_required', 'insufficient_role', 'not_found', 'quota_reached'] })
  createServiceAccount(
    @CurrentUser() user: DashboardUser,
    @Body() dto: CreateServiceAccountDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<ServiceAccountDto> {
    return this.serviceAccounts.create(user, dto, request);
  }

  /**
   * List service accounts
   * @remarks Lists the service accounts that you are in charge of: you own all of their knowledge bases, or
   * created them and they have none.
   */
  @Get()
  @OpensTo('persons only')
  @Operation({ page: ServiceAccountDto })
  listServiceAccounts(
    @CurrentUser() user: DashboardUser,
    @Query() query: PageQueryDto,
  ): Promise<Page<ServiceAccountDto>> {
    return this.serviceAccounts.list(user, query);
  }

  /** Get a service account */
  @Get(':sa_id')
  @Access('sa', 'viewer', 'persons only')
  getServiceAccount(
    @CurrentUser() user: DashboardUser,
    @IdParam('sa') id: string,
  ): Promise<ServiceAccountDto> {
    return this.serviceAccounts.get(user, id);
  }

  /**
   * Change a service account
   * @remarks `kbs` replaces the list. You must own all knowledge bases in the old and the new list.
   */
  @Patch(':sa_id')
  @Access('sa', 'owner', 'persons only')
  updateServiceAccount(
    @CurrentUser() user: DashboardUser,
    @IdParam('sa') id: string,
    @Body() dto: UpdateServiceAccountDto,
  ): Promise<ServiceAccountDto> {
    return this.serviceAccounts.update(user, id, dto);
  }

  /**
   * Delete a service account
   * @remarks Its keys stop at once. What it created is kept.
   */
  @Delete(':sa_id')
  @Access('sa', 'owner', 'persons only')
  deleteServiceAccount(
    @CurrentUser() user: DashboardUser,
    @IdParam('sa') id: string,
  ): Promise<SuccessDto> {
    return succeeded(this.serviceAccounts.delete(user, id));
  }
}
