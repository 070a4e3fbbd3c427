import { Delete, Get, Query } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import { Operation } from '../../platform/openapi/operation.js';
import { ClientLeft } from '../../platform/http/client-left.js';
import { type Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../../platform/http/success.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { ConversationErasure } from './conversation-erasure.js';
import { EraseConversationsDto, ListConversationsDto } from './conversation-query.dto.js';
import { ConversationDto, MessageDto } from './conversation.dto.js';
import { ConversationsService } from './conversations.service.js';
import { TraceDto } from './trace.dto.js';
import { TraceReader } from './trace-reader.js';

@DashboardController('Conversations')
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly erasure: ConversationErasure,
    private readonly traces: TraceReader,
  ) {}

  /**
   * List the conversations of a knowledge base
   * @remarks Lists the conversations of all its keys that match every given filter.
   */
  @Get('kbs/:kb_id/conversations')
  @Access('kb', 'viewer', 'persons only')
  @Operation({ page: ConversationDto, problems: ['knowledge_base_busy', 'worker_unavailable'] })
  listConversations(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: ListConversationsDto,
    @ClientLeft() signal: AbortSignal,
  ): Promise<Page<ConversationDto>> {
    return this.conversations.list(user, kbId, query, signal);
  }

  /**
   * Erase the conversations of an end user
   * @remarks Deletes every trace of the end user: their questions, the answers and their feedback. Counts
   * are kept without naming anybody.
   */
  @Delete('kbs/:kb_id/conversations')
  @Access('kb', 'member', 'persons only')
  @Operation({ problems: ['legal_hold'] })
  eraseConversations(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: EraseConversationsDto,
  ): Promise<SuccessDto> {
    return succeeded(this.erasure.eraseEndUser(user, kbId, query.end_user_id));
  }

  /**
   * Get a conversation
   * @remarks Its messages are listed separately.
   */
  @Get('conversations/:conversation_id')
  @Access('conversation', 'viewer', 'persons only')
  @Operation({ problems: ['worker_unavailable'] })
  getConversation(
    @CurrentUser() user: DashboardUser,
    @IdParam('conv', 'conversation_id') conversationId: string,
  ): Promise<ConversationDto> {
    return this.conversations.get(user, conversationId);
  }

  /**
   * Delete a conversation
   * @remarks Deletes the conversation with its messages. Counts are kept.
   */
  @Delete('conversations/:conversation_id')
  @Access('conversation', 'member', 'persons only')
  @Operation({ problems: ['legal_hold'] })
  deleteConversation(
    @CurrentUser() user: DashboardUser,
    @IdParam('conv', 'conversation_id') conversationId: string,
  ): Promise<SuccessDto> {
    return succeeded(this.conversations.delete(user, conversationId));
  }

  /**
   * List the messages of a conversation
   * @remarks Lists them from the oldest on, with the sources of each answer.
   */
  @Get('conversations/:conversation_id/messages')
  @Access('conversation', 'viewer', 'persons only')
  @Operation({ page: MessageDto })
  listMessages(
    @CurrentUser() user: DashboardUser,
    @IdParam('conv', 'conversation_id') conversationId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<MessageDto>> {
    return this.conversations.listMessages(user, conversationId, query);
  }

  /**
   * Get how an answer came about
   * @remarks What was searched for and found when the answer was given, and what decided it. Answers of earlier
   * versions have no trace (404).
   */
  @Get('conversations/:conversation_id/messages/:message_id/trace')
  @Access('conversation', 'viewer', 'persons only')
  @Operation({ problems: ['worker_unavailable'] })
  getTrace(
    @CurrentUser() user: DashboardUser,
    @IdParam('conv', 'conversation_id') conversationId: string,
    @IdParam('msg', 'message_id') messageId: string,
  ): Promise<TraceDto> {
    return this.traces.read(user, conversationId, messageId);
  }
}
