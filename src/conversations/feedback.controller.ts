import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { API_KEY_PROBLEMS, ApiKeyGuard, CurrentApiKey } from '../api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../api-keys/api-key-verifier.js';
import { ApiProblems, BODY_PROBLEMS } from '../openapi/api-docs.js';
import { IdParam } from '../http/type-id.js';
import { FeedbackDto, MessageFeedbackDto } from './feedback.dto.js';
import { FeedbackService } from './feedback.service.js';

@ApiTags('Ask')
@UseGuards(ApiKeyGuard)
@Controller('messages/:message_id/feedback')
export class FeedbackController {
  constructor(private readonly feedback: FeedbackService) {}

  /**
   * Rate an answer
   * @remarks The last rating given counts. The credential is `api_key` in the body; no header is
   * needed.
   */
  @Post()
  @HttpCode(200)
  @ApiProblems(...BODY_PROBLEMS, ...API_KEY_PROBLEMS, 'not_found')
  giveFeedback(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @IdParam('msg', 'message_id') messageId: string,
    @Body() dto: FeedbackDto,
  ): Promise<MessageFeedbackDto> {
    return this.feedback.give(apiKey, messageId, dto);
  }
}
