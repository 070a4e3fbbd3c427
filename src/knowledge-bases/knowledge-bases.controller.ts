import { Body, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { Access } from './access.js';
import { CurrentUser, type DashboardUser } from './dashboard-auth/dashboard-user.js';
import { DashboardController } from './dashboard-auth/dashboard-controller.js';
import { OpensTo } from './opens-to.js';
import { Operation } from '../platform/openapi/operation.js';
import { Idempotent, type IdempotentRequest } from '../platform/idempotency/idempotency.js';
import { type Page, PageQueryDto } from '../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../platform/http/success.dto.js';
import { IdParam } from '../platform/http/type-id.js';
import {
  CreateKnowledgeBaseDto,
  KnowledgeBaseDto,
  UpdateKnowledgeBaseDto,
} from './knowledge-base.dto.js';
import { KnowledgeBasesService } from './knowledge-bases.service.js';

@DashboardController('Knowledge bases', 'kbs')
export class KnowledgeBasesController {
  constructor(private readonly knowledgeBases: KnowledgeBasesService) {}

  /**
   * Create a knowledge base
   * @remarks You become its owner.
   */
  @Post()
  @OpensTo('kbs:write')
  @Operation({ problems: ['quota_reached'] })
  createKnowledgeBase(
    @CurrentUser() user: DashboardUser,
    @Body() dto: CreateKnowledgeBaseDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<KnowledgeBaseDto> {
    return this.knowledgeBases.create(user, dto, request);
  }

  /**
   * List your knowledge bases
   * @remarks Lists the knowledge bases of which you are a member.
   */
  @Get()
  @OpensTo('kbs:write')
  @Operation({ page: KnowledgeBaseDto })
  listKnowledgeBases(
    @CurrentUser() user: DashboardUser,
    @Query() query: PageQueryDto,
  ): Promise<Page<KnowledgeBaseDto>> {
    return this.knowledgeBases.list(user, query);
  }

  /**
   * Get a knowledge base
   * @remarks Includes the number of its documents, of their passages, and of the passages that can be found
   * by meaning.
   */
  @Get(':kb_id')
  @Access('kb', 'viewer', 'kbs:write')
  getKnowledgeBase(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
  ): Promise<KnowledgeBaseDto> {
    return this.knowledgeBases.get(user, kbId);
  }

  /**
   * Change a knowledge base
   * @remarks Fields that are left out are not changed.
   */
  @Patch(':kb_id')
  @Access('kb', 'member', 'kbs:write')
  updateKnowledgeBase(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: UpdateKnowledgeBaseDto,
  ): Promise<KnowledgeBaseDto> {
    return this.knowledgeBases.update(user, kbId, dto);
  }

  /**
   * Delete a knowledge base
   * @remarks Only owners can do this. Everything in the knowledge base is deleted, and its API keys stop at
   * once.
   */
  @Delete(':kb_id')
  @Access('kb', 'owner', 'kbs:write')
  @Operation({ problems: ['legal_hold'] })
  deleteKnowledgeBase(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
  ): Promise<SuccessDto> {
    return succeeded(this.knowledgeBases.delete(user, kbId));
  }
}
