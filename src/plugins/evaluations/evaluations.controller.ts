import { Body, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import { ApiAcceptedResponse } from '@nestjs/swagger';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import { type Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../../platform/http/success.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Idempotent, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Operation } from '../../platform/openapi/operation.js';
import { CreateEvaluationDto } from './evaluation-requests.dto.js';
import { EvaluationDto, EvaluationSummaryDto } from './evaluation.dto.js';
import { EvaluationsService } from './evaluations.service.js';

@DashboardController('Evaluations')
export class EvaluationsController {
  constructor(private readonly evaluations: EvaluationsService) {}

  /**
   * Evaluate a knowledge base
   * @remarks Asks questions whose answers you know, in the background: how often the right document
   * is found, and how often the answer is right, missing or made where there is none. It uses the
   * settings given and changes none; nothing counts in analytics. Try out settings with it before
   * you change them. A knowledge base may have ten that are not finished.
   */
  @Post('kbs/:kb_id/evaluations')
  @Access('kb', 'member', 'documents:write')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: EvaluationDto })
  @Operation({ problems: ['knowledge_base_busy'] })
  createEvaluation(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: CreateEvaluationDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<EvaluationDto> {
    return this.evaluations.create(user, kbId, dto, request);
  }

  /**
   * List the evaluations of a knowledge base
   * @remarks Without their questions.
   */
  @Get('kbs/:kb_id/evaluations')
  @Access('kb', 'viewer', 'documents:write')
  @Operation({ page: EvaluationSummaryDto })
  listEvaluations(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<EvaluationSummaryDto>> {
    return this.evaluations.list(user, kbId, query);
  }

  /**
   * Get an evaluation
   * @remarks With each question and what became of it. Poll it until `status` is `complete` or
   * `failed`.
   */
  @Get('evaluations/:evaluation_id')
  @Access('evaluation', 'viewer', 'documents:write')
  getEvaluation(
    @CurrentUser() user: DashboardUser,
    @IdParam('eval', 'evaluation_id') evaluationId: string,
  ): Promise<EvaluationDto> {
    return this.evaluations.get(user, evaluationId);
  }

  /**
   * Delete an evaluation
   * @remarks At once, and for good. One that is running stops.
   */
  @Delete('evaluations/:evaluation_id')
  @Access('evaluation', 'member', 'documents:write')
  @Operation({ problems: ['legal_hold'] })
  deleteEvaluation(
    @CurrentUser() user: DashboardUser,
    @IdParam('eval', 'evaluation_id') evaluationId: string,
  ): Promise<SuccessDto> {
    return succeeded(this.evaluations.delete(user, evaluationId));
  }
}
