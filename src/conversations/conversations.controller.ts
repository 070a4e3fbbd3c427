import { Controller, Delete, Get, Query, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardAuthGuard } from '../dashboard-auth/dashboard-auth.guard.js';
import { ApiDashboardProblems, ApiPage, BODY_PROBLEMS } from '../openapi/api-docs.js';
import { DASHBOARD_SECURITY } from '../openapi/open-api.js';
import { type Page, PageQueryDto } from '../http/page.dto.js';
import { SUCCESS, SuccessDto } from '../problems/problem.dto.js';
import { IdParam } from '../http/type-id.js';
import { ConversationErasure } from './conversation-erasure.js';
import { EraseConversationsDto, ListConversationsDto } from './conversation-query.dto.js';
import { ConversationDto, MessageDto } from './conversation.dto.js';
import { ConversationsService } from './conversations.service.js';

@ApiTags('Conversations')
@ApiSecurity(DASHBOARD_SECURITY)
@UseGuards(DashboardAuthGuard)
@Controller()
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly erasure: ConversationErasure,
  ) {}

  /**
   * List the conversations of a knowledge base
   * @remarks Whichever key they were held with. Filters narrow each other down.
   */
  @Get('kbs/:kb_id/conversations')
  @ApiPage(ConversationDto)
  @ApiDashboardProblems('validation_failed', 'not_found')
  listConversations(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: ListConversationsDto,
  ): Promise<Page<ConversationDto>> {
    return this.conversations.list(user, kbId, query);
  }

  /**
   * Erase the conversations of an end user
   * @remarks Every trace of them: what they asked, what was answered and what they thought of it.
   * What was counted stays, and names nobody.
   */
  @Delete('kbs/:kb_id/conversations')
  @ApiDashboardProblems(...BODY_PROBLEMS, 'not_found')
  async eraseConversations(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: EraseConversationsDto,
  ): Promise<SuccessDto> {
    await this.erasure.eraseEndUser(user, kbId, query.end_user_id);
    return SUCCESS;
  }

  /**
   * Get a conversation
   * @remarks Its messages are a list of their own.
   */
  @Get('conversations/:conversation_id')
  @ApiDashboardProblems('not_found')
  getConversation(
    @CurrentUser() user: DashboardUser,
    @IdParam('conv', 'conversation_id') conversationId: string,
  ): Promise<ConversationDto> {
    return this.conversations.get(user, conversationId);
  }

  /**
   * Delete a conversation
   * @remarks With its messages. What was counted stays.
   */
  @Delete('conversations/:conversation_id')
  @ApiDashboardProblems(...BODY_PROBLEMS, 'not_found')
  async deleteConversation(
    @CurrentUser() user: DashboardUser,
    @IdParam('conv', 'conversation_id') conversationId: string,
  ): Promise<SuccessDto> {
    await this.conversations.delete(user, conversationId);
    return SUCCESS;
  }

  /**
   * List the messages of a conversation
   * @remarks Oldest first, with the sources each answer had.
   */
  @Get('conversations/:conversation_id/messages')
  @ApiPage(MessageDto)
  @ApiDashboardProblems('validation_failed', 'not_found')
  listMessages(
    @CurrentUser() user: DashboardUser,
    @IdParam('conv', 'conversation_id') conversationId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<MessageDto>> {
    return this.conversations.listMessages(user, conversationId, query);
  }
}
