import { Body, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import type { Page } from '../../platform/http/page.dto.js';
import { PageQueryDto } from '../../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../../platform/http/success.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Idempotent, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Operation } from '../../platform/openapi/operation.js';
import { Access } from '../access.js';
import { DashboardController } from '../dashboard-auth/dashboard-controller.js';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { AccessSetDto, CreateAccessSetDto, UpdateAccessSetDto } from './access-set.dto.js';
import { AccessSetsService } from './access-sets.service.js';

@DashboardController('Documents')
export class AccessSetsController {
  constructor(private readonly sets: AccessSetsService) {}

  /**
   * Create an access set
   * @remarks An access set is a rule that many documents refer to by `access_set`: one change affects all
   * of them.
   */
  @Post('kbs/:kb_id/access-sets')
  @Access('kb', 'member', 'documents:write')
  createAccessSet(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: CreateAccessSetDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<AccessSetDto> {
    return this.sets.create(user, kbId, dto, request);
  }

  /** List the access sets of a knowledge base */
  @Get('kbs/:kb_id/access-sets')
  @Access('kb', 'member', 'documents:write')
  @Operation({ page: AccessSetDto })
  listAccessSets(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<AccessSetDto>> {
    return this.sets.list(user, kbId, query);
  }

  /**
   * Change an access set
   * @remarks The change applies from the next request on; nothing is indexed again.
   */
  @Patch('access-sets/:access_set_id')
  @Access('access_set', 'member', 'documents:write')
  updateAccessSet(
    @CurrentUser() user: DashboardUser,
    @IdParam('as', 'access_set_id') id: string,
    @Body() dto: UpdateAccessSetDto,
  ): Promise<AccessSetDto> {
    return this.sets.update(user, id, dto);
  }

  /**
   * Delete an access set
   * @remarks This is refused while documents use it.
   */
  @Delete('access-sets/:access_set_id')
  @Access('access_set', 'member', 'documents:write')
  @Operation({ problems: ['access_set_in_use', 'legal_hold'] })
  deleteAccessSet(
    @CurrentUser() user: DashboardUser,
    @IdParam('as', 'access_set_id') id: string,
  ): Promise<SuccessDto> {
    return succeeded(this.sets.delete(user, id));
  }
}
