import { Get, Query } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { ClientLeft } from '../../platform/http/client-left.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { GapsDto, ListGapsDto } from './gap.dto.js';
import { GapsService } from './gaps.service.js';

@DashboardController('Curated answers')
export class GapsController {
  constructor(private readonly gaps: GapsService) {}

  /**
   * List the gaps of a knowledge base
   * @remarks The questions that were not answered, or whose answer was rated `down`, those of one
   * meaning together. A gap is closed when a curated answer has its questions.
   */
  @Get('kbs/:kb_id/gaps')
  @Access('kb', 'viewer', 'persons only')
  @Operation({ problems: ['knowledge_base_busy', 'worker_unavailable'] })
  listGaps(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: ListGapsDto,
    @ClientLeft() signal: AbortSignal,
  ): Promise<GapsDto> {
    return this.gaps.list(user, kbId, query, signal);
  }
}
