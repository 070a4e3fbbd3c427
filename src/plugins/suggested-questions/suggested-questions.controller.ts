import { Get, UseGuards } from '@nestjs/common';
import { PlaygroundLimit } from '../../chat/playground-limit.js';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { ClientLeft } from '../../platform/http/client-left.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { SuggestedQuestionsDto } from './suggested-question.dto.js';
import { SuggestedQuestionsService } from './suggested-questions.service.js';

@DashboardController('Knowledge bases')
export class SuggestedQuestionsController {
  constructor(private readonly suggestedQuestions: SuggestedQuestionsService) {}

  /**
   * Suggest questions
   * @remarks Up to three questions that the newest documents answer: what they ask themselves, or what their headings
   * are about. Each was asked without a language model, and answered. It counts as one question towards the 60 a
   * minute of the playground.
   */
  @Get('kbs/:kb_id/suggested-questions')
  @Access('kb', 'viewer', 'persons only')
  @UseGuards(PlaygroundLimit)
  @Operation({
    problems: ['rate_limited', 'knowledge_base_busy', 'worker_unavailable', 'search_unavailable'],
  })
  async listSuggestedQuestions(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @ClientLeft() signal: AbortSignal,
  ): Promise<SuggestedQuestionsDto> {
    return { data: await this.suggestedQuestions.suggest(user, kbId, signal) };
  }
}
