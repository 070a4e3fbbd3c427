import type { Readable } from 'node:stream';
import { applyDecorators, Body, Controller, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { API_KEY_PROBLEMS, ApiKeyGuard, CurrentApiKey } from '../api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../api-keys/api-key-verifier.js';
import { ApiProblems, BODY_PROBLEMS } from '../openapi/api-docs.js';
import { ClientLeft } from '../http/client-left.js';
import { openEventStream } from '../http/event-stream.js';
import type { ProblemCode } from '../problems/problem.js';
import { ChatAnswerDto, QueryAnswerDto } from './answer.dto.js';
import { ChatService } from './chat.service.js';
import { ChatDto, QueryDto } from './question.dto.js';

const PROBLEMS: ProblemCode[] = [...BODY_PROBLEMS, ...API_KEY_PROBLEMS, 'knowledge_base_busy'];

const STREAM = `event: message_start
data: {"conversation_id":"conv_01kafdp6ygf4rs4s2cr5cvzwkc","message_id":"msg_01kafdp6ygf4rs4s2cr5cvzwkc"}

event: sources
data: {"sources":[]}

event: delta
data: {"text":"Within 30 days of delivery. [1]"}

event: message_end
data: {}
`;

const ApiChatAnswer = () =>
  applyDecorators(
    ApiExtraModels(ChatAnswerDto),
    ApiOkResponse({
      description: 'The answer; with `stream`, as server-sent events.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ChatAnswerDto) } },
        'text/event-stream': { schema: { type: 'string' }, example: STREAM },
      },
    }),
  );

@ApiTags('Ask')
@UseGuards(ApiKeyGuard)
@Controller()
export class ChatController {
  constructor(private readonly chatService: ChatService) {}

  /**
   * Find passages
   * @remarks The best passages for a question, without an answer. The credential is `api_key` in
   * the body; no header is needed.
   */
  @Post('query')
  @HttpCode(200)
  @ApiProblems(...PROBLEMS)
  query(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Body() dto: QueryDto,
    @ClientLeft() left: AbortSignal,
  ): Promise<QueryAnswerDto> {
    return this.chatService.query(apiKey, dto, left);
  }

  /**
   * Ask a question
   * @remarks An answer from the documents, with its sources. The credential is `api_key` in the
   * body; no header is needed. Send `conversation_id` to go on with a conversation, and
   * `stream: true` to read the answer as it is written: the events `message_start`
   * (`conversation_id`, `message_id`), `sources` (`sources`), any number of `delta` (`text`), and
   * `message_end` (the whole answer, as without `stream`) or `error` (a problem).
   */
  @Post('chat')
  @HttpCode(200)
  @ApiChatAnswer()
  @ApiProblems(
    ...PROBLEMS,
    'not_found',
    'daily_limit_reached',
    'model_unavailable',
    'model_timeout',
  )
  async chat(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Body() dto: ChatDto,
    @ClientLeft() left: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChatAnswerDto | Readable> {
    return dto.stream === true
      ? openEventStream(reply, await this.chatService.stream(apiKey, dto, left))
      : this.chatService.chat(apiKey, dto, left);
  }
}
