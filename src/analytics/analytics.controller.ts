import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardAuthGuard } from '../dashboard-auth/dashboard-auth.guard.js';
import { ApiDashboardProblems, ApiPage } from '../openapi/api-docs.js';
import { DASHBOARD_SECURITY } from '../openapi/open-api.js';
import type { Page } from '../http/page.dto.js';
import { IdParam } from '../http/type-id.js';
import { AnalyticsQueryDto, RankingQueryDto } from './analytics-query.dto.js';
import {
  AnalyticsDto,
  KeyAnalyticsDto,
  TopDocumentDto,
  UnansweredQuestionDto,
} from './analytics.dto.js';
import { AnalyticsService } from './analytics.service.js';

@ApiTags('Analytics')
@ApiSecurity(DASHBOARD_SECURITY)
@UseGuards(DashboardAuthGuard)
@Controller('kbs/:kb_id/analytics')
export class AnalyticsController {
  constructor(private readonly analytics: AnalyticsService) {}

  /**
   * Get the figures
   * @remarks Totals and a series by days or hours of a time zone; or totals by key, with
   * `group_by=api_key`. Right to within 10 seconds.
   */
  @Get()
  @ApiExtraModels(AnalyticsDto, KeyAnalyticsDto)
  @ApiOkResponse({
    description: 'Totals and a series, or totals by key.',
    schema: {
      oneOf: [{ $ref: getSchemaPath(AnalyticsDto) }, { $ref: getSchemaPath(KeyAnalyticsDto) }],
    },
  })
  @ApiDashboardProblems('validation_failed', 'not_found')
  getAnalytics(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: AnalyticsQueryDto,
  ): Promise<AnalyticsDto | KeyAnalyticsDto> {
    return this.analytics.get(user, kbId, query);
  }

  /**
   * List the questions without an answer
   * @remarks Those of the same meaning-bearing words are one; most asked first.
   */
  @Get('unanswered')
  @ApiPage(UnansweredQuestionDto)
  @ApiDashboardProblems('validation_failed', 'not_found')
  listUnanswered(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: RankingQueryDto,
  ): Promise<Page<UnansweredQuestionDto>> {
    return this.analytics.listUnanswered(user, kbId, query);
  }

  /**
   * List the documents that answers rest on
   * @remarks Most used first, counted by days (UTC).
   */
  @Get('top-documents')
  @ApiPage(TopDocumentDto)
  @ApiDashboardProblems('validation_failed', 'not_found')
  listTopDocuments(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: RankingQueryDto,
  ): Promise<Page<TopDocumentDto>> {
    return this.analytics.listTopDocuments(user, kbId, query);
  }
}
