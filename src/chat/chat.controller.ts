import type { Readable } from 'node:stream';
import { Body, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentApiKey } from '../api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { PartnerController } from '../api-keys/partner-controller.js';
import { RequiresScope } from '../api-keys/requires-scope.js';
import { Operation } from '../platform/openapi/operation.js';
import { ClientLeft } from '../platform/http/client-left.js';
import { openEventStream } from '../platform/http/event-stream.js';
import { ChatAnswerDto, QueryAnswerDto } from './answer.dto.js';
import { ApiStreamedAnswer } from './api-streamed-answer.js';
import { ChatService } from './chat.service.js';
import { ChatDto, QueryDto } from './question.dto.js';

@PartnerController()
export class ChatController {
  constructor(private readonly chatService: ChatService) {}

  /**
   * Find passages
   * @remarks Returns the best passages for a question, without an answer. The credential is an API key or a
   * client token, as `Authorization: Bearer …` or as `api_key` in the body.
   */
  @Post('query')
  @HttpCode(200)
  @RequiresScope('query')
  @Operation({ problems: ['knowledge_base_busy', 'worker_unavailable', 'search_unavailable'] })
  query(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Body() dto: QueryDto,
    @ClientLeft() signal: AbortSignal,
  ): Promise<QueryAnswerDto> {
    return this.chatService.query(apiKey, dto, signal);
  }

  /**
   * Ask a question
   * @remarks Returns an answer from the documents with its sources. The credential is an API key or a
   * client token, as `Authorization: Bearer …` or as `api_key` in the body. Send `conversation_id` to
   * continue a conversation that the same key, a predecessor or a successor began. Send `stream: true` to
   * read the answer while it is written, with the events `message_start` (`conversation_id`, `message_id`),
   * `sources` (`sources`), any number of `delta` (`text`), `related` (`related`) if the question is not
   * answered, and `message_end` (the whole answer, as without `stream`) or `error` (a problem).
   */
  @Post('chat')
  @HttpCode(200)
  @RequiresScope('chat')
  @ApiStreamedAnswer(ChatAnswerDto)
  @Operation({
    problems: [
      'knowledge_base_busy',
      'worker_unavailable',
      'search_unavailable',
      'not_found',
      'end_user_mismatch',
      'daily_limit_reached',
      'budget_reached',
      'model_unavailable',
      'model_timeout',
    ],
  })
  async chat(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Body() dto: ChatDto,
    @ClientLeft() signal: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChatAnswerDto | Readable> {
    return dto.stream === true
      ? openEventStream(reply, await this.chatService.stream(apiKey, dto, signal))
      : this.chatService.chat(apiKey, dto, signal);
  }
}
