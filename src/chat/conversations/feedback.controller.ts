import { Body, HttpCode, Post } from '@nestjs/common';
import { CurrentApiKey } from '../../api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { PartnerController } from '../../api-keys/partner-controller.js';
import { RequiresScope } from '../../api-keys/requires-scope.js';
import { IdParam } from '../../platform/http/type-id.js';
import { MayAnswer } from '../../platform/openapi/operation.js';
import { FeedbackDto, MessageFeedbackDto } from './feedback.dto.js';
import { FeedbackService } from './feedback.service.js';

@PartnerController('messages/:message_id/feedback')
export class FeedbackController {
  constructor(private readonly feedback: FeedbackService) {}

  /**
   * Rate an answer
   * @remarks The last rating counts. Only answers in conversations begun by the same key, a predecessor or
   * a successor can be rated; with a client token, only those of its end user.
   */
  @Post()
  @HttpCode(200)
  @RequiresScope('feedback')
  @MayAnswer('legal_hold')
  giveFeedback(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @IdParam('msg', 'message_id') messageId: string,
    @Body() dto: FeedbackDto,
  ): Promise<MessageFeedbackDto> {
    return this.feedback.give(apiKey, messageId, dto);
  }
}
