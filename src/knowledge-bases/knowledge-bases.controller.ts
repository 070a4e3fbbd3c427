import { Body, Controller, Delete, Get, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardAuthGuard } from '../dashboard-auth/dashboard-auth.guard.js';
import {
  ApiDashboardProblems,
  ApiIdempotencyKey,
  ApiPage,
  BODY_PROBLEMS,
} from '../openapi/api-docs.js';
import { Idempotent, type IdempotentRequest } from '../idempotency/idempotency.js';
import { DASHBOARD_SECURITY } from '../openapi/open-api.js';
import { type Page, PageQueryDto } from '../http/page.dto.js';
import { SUCCESS, SuccessDto } from '../problems/problem.dto.js';
import { IdParam } from '../http/type-id.js';
import { OwnersOnly } from './access-check.js';
import {
  CreateKnowledgeBaseDto,
  KnowledgeBaseDto,
  UpdateKnowledgeBaseDto,
} from './knowledge-base.dto.js';
import { KnowledgeBasesService } from './knowledge-bases.service.js';

@ApiTags('Knowledge bases')
@ApiSecurity(DASHBOARD_SECURITY)
@UseGuards(DashboardAuthGuard)
@Controller('kbs')
export class KnowledgeBasesController {
  constructor(private readonly knowledgeBases: KnowledgeBasesService) {}

  /**
   * Create a knowledge base
   * @remarks You become its owner.
   */
  @Post()
  @ApiIdempotencyKey()
  @ApiDashboardProblems(...BODY_PROBLEMS, 'idempotency_conflict', 'quota_reached')
  createKnowledgeBase(
    @CurrentUser() user: DashboardUser,
    @Body() dto: CreateKnowledgeBaseDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<KnowledgeBaseDto> {
    return this.knowledgeBases.create(user, dto, request);
  }

  /**
   * List your knowledge bases
   * @remarks Those of which you are a member.
   */
  @Get()
  @ApiPage(KnowledgeBaseDto)
  @ApiDashboardProblems('validation_failed')
  listKnowledgeBases(
    @CurrentUser() user: DashboardUser,
    @Query() query: PageQueryDto,
  ): Promise<Page<KnowledgeBaseDto>> {
    return this.knowledgeBases.list(user, query);
  }

  /**
   * Get a knowledge base
   * @remarks With the number of its documents and of the chunks they were cut into.
   */
  @Get(':kb_id')
  @ApiDashboardProblems('not_found')
  getKnowledgeBase(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
  ): Promise<KnowledgeBaseDto> {
    return this.knowledgeBases.get(user, kbId);
  }

  /**
   * Change a knowledge base
   * @remarks Fields that are left out stay as they are.
   */
  @Patch(':kb_id')
  @ApiDashboardProblems(...BODY_PROBLEMS, 'not_found')
  updateKnowledgeBase(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: UpdateKnowledgeBaseDto,
  ): Promise<KnowledgeBaseDto> {
    return this.knowledgeBases.update(user, kbId, dto);
  }

  /**
   * Delete a knowledge base
   * @remarks Owners only. Everything in it goes with it, and its API keys stop at once.
   */
  @Delete(':kb_id')
  @OwnersOnly()
  @ApiDashboardProblems(...BODY_PROBLEMS, 'owner_required', 'not_found')
  async deleteKnowledgeBase(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
  ): Promise<SuccessDto> {
    await this.knowledgeBases.delete(user, kbId);
    return SUCCESS;
  }
}
