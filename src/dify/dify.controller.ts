import { Body, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CurrentApiKey } from '../api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { PartnerController } from '../api-keys/partner-controller.js';
import { RequiresScope } from '../api-keys/scope.js';
import { ClientLeft } from '../http/client-left.js';
import { FormatsProblems } from '../problems/problem-format.js';
import { DifyRetrievalAnswerDto, DifyRetrievalDto } from './dify.dto.js';
import { toDifyError } from './dify-error.js';
import { DifyService } from './dify.service.js';

@ApiExcludeController()
@PartnerController('dify', { credential: 'bearer', browsers: false })
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
  @FormatsProblems(toDifyError)
  retrieveForDify(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Body() dto: DifyRetrievalDto,
    @ClientLeft() signal: AbortSignal,
  ): Promise<DifyRetrievalAnswerDto> {
    return this.service.retrieve(apiKey, dto, signal);
  }
}
