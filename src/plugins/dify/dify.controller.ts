import { Body, HttpCode, Post } from '@nestjs/common';
import { CurrentApiKey } from '../../api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { PartnerController } from '../../api-keys/partner-controller.js';
import { RequiresScope } from '../../api-keys/requires-scope.js';
import { ClientLeft } from '../../platform/http/client-left.js';
import { Operation } from '../../platform/openapi/operation.js';
import { FormatsProblems } from '../../platform/http/problem-format.js';
import { DifyErrorDto, DifyRetrievalAnswerDto, DifyRetrievalDto } from './dify.dto.js';
import { toDifyError } from './dify-error.js';
import { DifyService } from './dify.service.js';

@PartnerController('dify', { tag: 'Other protocols', credential: 'bearer', browsers: false })
export class DifyController {
  constructor(private readonly service: DifyService) {}

  /**
   * Find passages for Dify
   * @remarks Dify’s external knowledge API: in Dify the endpoint is `/dify`, the API key the key, and
   * the id of the knowledge base the knowledge id. Scores are from 0 to 1.
   */
  @Post('retrieval')
  @HttpCode(200)
  @RequiresScope('query')
  @Operation({
    problems: ['not_found', 'knowledge_base_busy', 'worker_unavailable', 'search_unavailable'],
  })
  @FormatsProblems(toDifyError, DifyErrorDto)
  retrieveForDify(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Body() dto: DifyRetrievalDto,
    @ClientLeft() signal: AbortSignal,
  ): Promise<DifyRetrievalAnswerDto> {
    return this.service.retrieve(apiKey, dto, signal);
  }
}
