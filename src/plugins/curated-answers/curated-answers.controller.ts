import { Body, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { Page } from '../../platform/http/page.dto.js';
import { PageQueryDto } from '../../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../../platform/http/success.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Idempotent, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Operation } from '../../platform/openapi/operation.js';
import {
  CreateCuratedAnswerDto,
  CuratedAnswerDto,
  UpdateCuratedAnswerDto,
} from './curated-answer.dto.js';
import { CuratedAnswersService } from './curated-answers.service.js';

@DashboardController('Curated answers')
export class CuratedAnswersController {
  constructor(private readonly answers: CuratedAnswersService) {}

  /**
   * Write a curated answer
   * @remarks The answer is given in place of a search when one of its questions is asked again: in the same
   * words, or by meaning if there is an embeddings model. No language model is asked.
   */
  @Post('kbs/:kb_id/curated-answers')
  @Access('kb', 'member', 'documents:write')
  @Operation({ problems: ['quota_reached'] })
  createCuratedAnswer(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: CreateCuratedAnswerDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<CuratedAnswerDto> {
    return this.answers.create(user, kbId, dto, request);
  }

  /** List the curated answers of a knowledge base */
  @Get('kbs/:kb_id/curated-answers')
  @Access('kb', 'viewer', 'documents:write')
  @Operation({ page: CuratedAnswerDto })
  listCuratedAnswers(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<CuratedAnswerDto>> {
    return this.answers.list(user, kbId, query);
  }

  /** Get a curated answer */
  @Get('curated-answers/:curated_answer_id')
  @Access('curated_answer', 'viewer', 'documents:write')
  getCuratedAnswer(
    @CurrentUser() user: DashboardUser,
    @IdParam('cur', 'curated_answer_id') id: string,
  ): Promise<CuratedAnswerDto> {
    return this.answers.get(user, id);
  }

  /**
   * Change a curated answer
   * @remarks The change applies from the next question on. Fields that are left out are not changed.
   */
  @Patch('curated-answers/:curated_answer_id')
  @Access('curated_answer', 'member', 'documents:write')
  @Operation({ problems: ['legal_hold'] })
  updateCuratedAnswer(
    @CurrentUser() user: DashboardUser,
    @IdParam('cur', 'curated_answer_id') id: string,
    @Body() dto: UpdateCuratedAnswerDto,
  ): Promise<CuratedAnswerDto> {
    return this.answers.update(user, id, dto);
  }

  /** Delete a curated answer */
  @Delete('curated-answers/:curated_answer_id')
  @Access('curated_answer', 'member', 'documents:write')
  @Operation({ problems: ['legal_hold'] })
  deleteCuratedAnswer(
    @CurrentUser() user: DashboardUser,
    @IdParam('cur', 'curated_answer_id') id: string,
  ): Promise<SuccessDto> {
    return succeeded(this.answers.delete(user, id));
  }
}
