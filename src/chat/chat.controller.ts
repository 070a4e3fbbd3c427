import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../api-keys/api-key-auth.js';
import { CurrentApiKey } from '../api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../api-keys/api-key-verifier.js';
import { ApiProblems, BODY_PROBLEMS } from '../http/api-docs.js';
import type { ProblemCode } from '../http/problem.js';
import { ChatAnswerDto, QueryAnswerDto } from './answer.dto.js';
import { ChatService } from './chat.service.js';
import { ChatDto, QueryDto } from './question.dto.js';

const PROBLEMS: ProblemCode[] = [
  ...BODY_PROBLEMS,
  'api_key_required',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'ip_not_allowed',
  'rate_limited',
  'verification_busy',
  'database_unavailable',
];

@ApiTags('Ask')
@ApiKeyAuth()
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
  query(@CurrentApiKey() apiKey: ApiKeyPrincipal, @Body() dto: QueryDto): Promise<QueryAnswerDto> {
    return this.chatService.query(apiKey, dto);
  }

  /**
   * Ask a question
   * @remarks An answer from the documents, with its sources. The credential is `api_key` in the
   * body; no header is needed. Send `conversation_id` to go on with a conversation.
   */
  @Post('chat')
  @HttpCode(200)
  @ApiProblems(...PROBLEMS, 'not_found')
  chat(@CurrentApiKey() apiKey: ApiKeyPrincipal, @Body() dto: ChatDto): Promise<ChatAnswerDto> {
    return this.chatService.chat(apiKey, dto);
  }
}
