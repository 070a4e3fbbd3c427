import { Body, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { type Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../../platform/http/success.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Idempotent, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Operation } from '../../platform/openapi/operation.js';
import { CreateSiteDto, UpdateSiteDto } from './site-requests.dto.js';
import { SiteDto } from './site.dto.js';
import { SitesService } from './sites.service.js';

@DashboardController('Sites')
export class SitesController {
  constructor(private readonly sites: SitesService) {}

  /**
   * Create a site
   * @remarks Visitors of its pages ask the knowledge base in a chat, which `/widget.js` shows there. Nobody gets a
   * key, and what it can cost ends at `daily_messages`. Visitors read the documents that everyone may read.
   */
  @Post('kbs/:kb_id/sites')
  @Access('kb', 'member', 'keys:write')
  @Operation({ problems: ['quota_reached'] })
  createSite(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: CreateSiteDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<SiteDto> {
    return this.sites.create(user, kbId, dto, request);
  }

  /** List the sites of a knowledge base */
  @Get('kbs/:kb_id/sites')
  @Access('kb', 'viewer', 'keys:read')
  @Operation({ page: SiteDto })
  listSites(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<SiteDto>> {
    return this.sites.list(user, kbId, query);
  }

  /** Get a site */
  @Get('sites/:site_id')
  @Access('site', 'viewer', 'keys:read')
  getSite(@CurrentUser() user: DashboardUser, @IdParam('site') id: string): Promise<SiteDto> {
    return this.sites.get(user, id);
  }

  /**
   * Change a site
   * @remarks Fields that are left out stay as they are. With `state` `paused`, visitors are answered nothing from the
   * next request on.
   */
  @Patch('sites/:site_id')
  @Access('site', 'member', 'keys:write')
  updateSite(
    @CurrentUser() user: DashboardUser,
    @IdParam('site') id: string,
    @Body() dto: UpdateSiteDto,
  ): Promise<SiteDto> {
    return this.sites.update(user, id, dto);
  }

  /** Delete a site */
  @Delete('sites/:site_id')
  @Access('site', 'member', 'keys:write')
  deleteSite(@CurrentUser() user: DashboardUser, @IdParam('site') id: string): Promise<SuccessDto> {
    return succeeded(this.sites.delete(user, id));
  }
}
