import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse } from '@nestjs/swagger';
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
import {
  CreateSourceDto,
  DeleteSourceDto,
  RunSourceDto,
  SourceAddressDto,
  UpdateSourceDto,
} from './source-requests.dto.js';
import { SourceRunsService } from './source-runs.service.js';
import { ConnectedSourceDto, SourceRunDto, SourceTestDto } from './source.dto.js';
import { SourcesService } from './sources.service.js';

@DashboardController('Sources')
export class SourcesController {
  constructor(
    private readonly sources: SourcesService,
    private readonly runs: SourceRunsService,
  ) {}

  /**
   * Connect a source
   * @remarks Nothing is loaded yet: run it with `preview`, then without, or wait for its schedule.
   */
  @Post('kbs/:kb_id/sources')
  @Access('kb', 'member', 'documents:write')
  @Operation({ problems: ['quota_reached'] })
  createSource(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: CreateSourceDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<ConnectedSourceDto> {
    return this.sources.create(user, kbId, dto, request);
  }

  /**
   * Test the connection to a source
   * @remarks Nothing is stored. A user may test two connections at once.
   */
  @Post('kbs/:kb_id/sources/test')
  @Access('kb', 'member', 'documents:write')
  @HttpCode(200)
  @Operation({ problems: ['rate_limited', 'worker_unavailable'] })
  testSource(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: SourceAddressDto,
  ): Promise<SourceTestDto> {
    return this.runs.test(user, kbId, dto);
  }

  /** List the sources of a knowledge base */
  @Get('kbs/:kb_id/sources')
  @Access('kb', 'viewer', 'documents:write')
  @Operation({ page: ConnectedSourceDto })
  listSources(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<ConnectedSourceDto>> {
    return this.sources.list(user, kbId, query);
  }

  /** Get a source */
  @Get('sources/:source_id')
  @Access('source', 'viewer', 'documents:write')
  getSource(
    @CurrentUser() user: DashboardUser,
    @IdParam('src', 'source_id') sourceId: string,
  ): Promise<ConnectedSourceDto> {
    return this.sources.get(user, sourceId);
  }

  /**
   * Change a source
   * @remarks Fields that are left out stay as they are, `config` and `credentials` as a whole. With
   * another server, credentials must be given again.
   */
  @Patch('sources/:source_id')
  @Access('source', 'member', 'documents:write')
  updateSource(
    @CurrentUser() user: DashboardUser,
    @IdParam('src', 'source_id') sourceId: string,
    @Body() dto: UpdateSourceDto,
  ): Promise<ConnectedSourceDto> {
    return this.sources.update(user, sourceId, dto);
  }

  /**
   * Run a source now
   * @remarks In the background; poll its runs. A run that would delete more than a tenth of the
   * documents changes nothing and ends as `needs_confirmation`: repeat it with `confirm`. So does one that
   * finds no document at a path of `config.access`: what the path may be meant for is read by nobody until
   * then, and all else is in step. A listing that fails or is empty deletes nothing.
   */
  @Post('sources/:source_id/run')
  @Access('source', 'member', 'documents:write')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: SourceRunDto })
  @Operation({ problems: ['source_running'] })
  runSource(
    @CurrentUser() user: DashboardUser,
    @IdParam('src', 'source_id') sourceId: string,
    @Body() dto: RunSourceDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<SourceRunDto> {
    return this.runs.run(user, sourceId, dto, request);
  }

  /**
   * Cancel the run of a source
   * @remarks If there is one; what it has loaded stays.
   */
  @Post('sources/:source_id/cancel')
  @Access('source', 'member', 'documents:write')
  @HttpCode(200)
  cancelSourceRun(
    @CurrentUser() user: DashboardUser,
    @IdParam('src', 'source_id') sourceId: string,
  ): Promise<ConnectedSourceDto> {
    return this.runs.cancel(user, sourceId);
  }

  /**
   * List the runs of a source
   * @remarks Those of the last 30 days.
   */
  @Get('sources/:source_id/runs')
  @Access('source', 'viewer', 'documents:write')
  @Operation({ page: SourceRunDto })
  listSourceRuns(
    @CurrentUser() user: DashboardUser,
    @IdParam('src', 'source_id') sourceId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<SourceRunDto>> {
    return this.runs.list(user, sourceId, query);
  }

  /**
   * Delete a source
   * @remarks Its documents stay, unless `documents` is `delete`.
   */
  @Delete('sources/:source_id')
  @Access('source', 'member', 'documents:write')
  @Operation({ problems: ['legal_hold'] })
  deleteSource(
    @CurrentUser() user: DashboardUser,
    @IdParam('src', 'source_id') sourceId: string,
    @Query() { documents = 'keep' }: DeleteSourceDto,
  ): Promise<SuccessDto> {
    return succeeded(this.sources.delete(user, sourceId, documents));
  }
}
