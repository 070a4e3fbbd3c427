import { Body, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { ClientLeft } from '../../platform/http/client-left.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { DashboardAnswerDto } from '../../chat/answer.dto.js';
import { PlaygroundLimit } from '../../chat/playground-limit.js';
import { AskAgainDto, GapsDto, ListGapsDto } from './gap.dto.js';
import { GapsService } from './gaps.service.js';

@DashboardController('Curated answers')
export class GapsController {
  constructor(private readonly gaps: GapsService) {}

  /**
   * List the gaps of a knowledge base
   * @remarks The questions that were not answered, or whose answer was rated `down`, those of one
   * meaning together. A gap is closed when a curated answer has its questions, or they were asked again
   * and answered; it opens when one of them is refused again.
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

  /**
   * Ask a question of a gap again
   * @remarks With what everybody may read, and as *Try out a question* otherwise. Where it is answered,
   * it is closed.
   */
  @Post('kbs/:kb_id/gaps/ask')
  @Access('kb', 'member', 'persons only')
  @HttpCode(200)
  @UseGuards(PlaygroundLimit)
  @Operation({
    problems: [
      'rate_limited',
      'daily_limit_reached',
      'knowledge_base_busy',
      'worker_unavailable',
      'search_unavailable',
      'model_unavailable',
      'model_timeout',
    ],
  })
  askAgain(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() { question }: AskAgainDto,
    @ClientLeft() signal: AbortSignal,
  ): Promise<DashboardAnswerDto> {
    return this.gaps.askAgain(user, kbId, question, signal);
  }
}
