import type { Readable } from 'node:stream';
import { Access } from '../knowledge-bases/access.js';
import { Body, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  CurrentUser,
  type DashboardUser,
} from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { DashboardController } from '../knowledge-bases/dashboard-auth/dashboard-controller.js';
import { ClientLeft } from '../platform/http/client-left.js';
import { openEventStream } from '../platform/http/event-stream.js';
import { IdParam } from '../platform/http/type-id.js';
import { Operation } from '../platform/openapi/operation.js';
import { DashboardAnswerDto, QueryAnswerDto } from './answer.dto.js';
import { ApiStreamedAnswer } from './api-streamed-answer.js';
import { DashboardChatService } from './dashboard-chat.service.js';
import { PlaygroundLimit } from './playground-limit.js';
import { DashboardChatDto, DashboardQueryDto } from './dashboard-question.dto.js';

@DashboardController('Playground', 'kbs/:kb_id')
export class DashboardChatController {
  constructor(private readonly chatService: DashboardChatService) {}

  /**
   * Try out a search
   * @remarks Like *Find passages*, for a dashboard user and with its own settings. Nothing is stored or
   * counted in analytics. At most 60 questions a minute and user, including answers.
   */
  @Post('query')
  @Access('kb', 'viewer', 'persons only')
  @HttpCode(200)
  @UseGuards(PlaygroundLimit)
  @Operation({
    problems: [
      'insufficient_role',
      'rate_limited',
      'knowledge_base_busy',
      'worker_unavailable',
      'search_unavailable',
    ],
  })
  tryQuery(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: DashboardQueryDto,
    @ClientLeft() signal: AbortSignal,
  ): Promise<QueryAnswerDto> {
    return this.chatService.query(user, kbId, dto, signal);
  }

  /**
   * Try out a question
   * @remarks Like *Ask a question*, for a dashboard user and with its own settings. There is no
   * conversation, and nothing is stored or counted in analytics. Model calls count towards
   * `daily_message_limit`, once for a question. At most 60 questions a minute and user, including searches.
   * With `effort` `medium` or `high`, a stream also has the event `step` (`searches`, `passages`), once for
   * each round, before `sources`.
   */
  @Post('chat')
  @Access('kb', 'viewer', 'persons only')
  @HttpCode(200)
  @UseGuards(PlaygroundLimit)
  @ApiStreamedAnswer(DashboardAnswerDto)
  @Operation({
    problems: [
      'insufficient_role',
      'rate_limited',
      'daily_limit_reached',
      'knowledge_base_busy',
      'worker_unavailable',
      'search_unavailable',
      'model_unavailable',
      'model_timeout',
    ],
  })
  async tryChat(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: DashboardChatDto,
    @ClientLeft() signal: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DashboardAnswerDto | Readable> {
    return dto.stream === true
      ? openEventStream(reply, await this.chatService.stream(user, kbId, dto, signal))
      : this.chatService.chat(user, kbId, dto, signal);
  }
}
