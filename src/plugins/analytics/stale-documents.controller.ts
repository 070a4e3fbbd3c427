import { Get, Query } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import type { Page } from '../../platform/http/page.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { AnalyticsService } from './analytics.service.js';
import { StaleDocumentDto, StaleDocumentsQueryDto } from './stale-documents.dto.js';

@DashboardController('Analytics', 'kbs/:kb_id/stale-documents')
export class StaleDocumentsController {
  constructor(private readonly analytics: AnalyticsService) {}

  /**
   * List old documents that answers cite
   * @remarks Those whose content has not changed for `not_updated_days`; most cited first, counted by days
   * (UTC). Documents that are not valid any more are left out.
   */
  @Get()
  @Access('kb', 'viewer', 'analytics:read')
  @Operation({ page: StaleDocumentDto, problems: ['worker_unavailable'] })
  listStaleDocuments(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: StaleDocumentsQueryDto,
  ): Promise<Page<StaleDocumentDto>> {
    return this.analytics.listStaleDocuments(user, kbId, query);
  }
}
