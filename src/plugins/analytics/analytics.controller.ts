import { Get, Query } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import { Operation } from '../../platform/openapi/operation.js';
import type { Page } from '../../platform/http/page.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { AnalyticsQueryDto, RankingQueryDto } from './analytics-query.dto.js';
import {
  AnalyticsDto,
  KeyAnalyticsDto,
  TopDocumentDto,
  UnansweredQuestionDto,
} from './analytics.dto.js';
import { AnalyticsService } from './analytics.service.js';

@DashboardController('Analytics', 'kbs/:kb_id/analytics')
export class AnalyticsController {
  constructor(private readonly analytics: AnalyticsService) {}

  /**
   * Get the figures
   * @remarks Totals and a series by days or hours of a time zone; or totals by key, with
   * `group_by=api_key`. Right to within 10 seconds.
   */
  @Get()
  @Access('kb', 'viewer', 'analytics:read')
  @Operation({ problems: ['worker_unavailable'] })
  @ApiExtraModels(AnalyticsDto, KeyAnalyticsDto)
  @ApiOkResponse({
    description: 'Totals and a series, or totals by key.',
    schema: {
      oneOf: [{ $ref: getSchemaPath(AnalyticsDto) }, { $ref: getSchemaPath(KeyAnalyticsDto) }],
    },
  })
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
  @Access('kb', 'viewer', 'analytics:read')
  @Operation({ page: UnansweredQuestionDto, problems: ['worker_unavailable'] })
  listUnanswered(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: RankingQueryDto,
  ): Promise<Page<UnansweredQuestionDto>> {
    return this.analytics.listUnanswered(user, kbId, query);
  }

  /**
   * List the documents that answers cite
   * @remarks Most cited first, counted by days (UTC).
   */
  @Get('top-documents')
  @Access('kb', 'viewer', 'analytics:read')
  @Operation({
    page: TopDocumentDto,
    problems: ['worker_unavailable'],
  })
  listTopDocuments(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: RankingQueryDto,
  ): Promise<Page<TopDocumentDto>> {
    return this.analytics.listTopDocuments(user, kbId, query);
  }
}
