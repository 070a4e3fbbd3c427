import type { Readable } from 'node:stream';
import { Body, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentApiKey } from '../api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { PartnerController } from '../api-keys/partner-controller.js';
import { RequiresScope } from '../api-keys/scope.js';
import { ClientLeft } from '../http/client-left.js';
import { openEventStream } from '../http/event-stream.js';
import { toProblem } from '../problems/problem.filter.js';
import { FormatsProblems } from '../problems/problem-format.js';
import { ChatCompletionRequestDto } from './chat-completion-request.dto.js';
import { toOpenAiError } from './openai-error.js';
import { OpenAiService } from './openai.service.js';
import { VectorStoreSearchDto } from './vector-store-search.dto.js';

const OPENAI = FormatsProblems((problem, requestId) => ({
  status: problem.getStatus(),
  body: toOpenAiError(problem, requestId),
}));

/** What OpenAI's own clients call, with the base URL `/v1`. */
@ApiExcludeController()
@PartnerController('v1', { credential: 'bearer' })
export class OpenAiController {
  constructor(private readonly service: OpenAiService) {}

  /**
   * Ask as with OpenAI’s chat completions
   * @remarks For clients that speak OpenAI’s protocol: the base URL is `/v1`, the API key the
   * Bearer. Sources stand in `sources`, and as annotations of the message.
   */
  @Post('chat/completions')
  @HttpCode(200)
  @RequiresScope('chat')
  @OPENAI
  async createChatCompletion(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Body() dto: ChatCompletionRequestDto,
    @ClientLeft() signal: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | Readable> {
    if (dto.stream !== true) return this.service.complete(apiKey, dto, signal);
    const events = await this.service.stream(apiKey, dto, signal);
    return openEventStream(reply, events, (error) => ({
      data: toOpenAiError(toProblem(error), reply.request.id),
    }));
  }

  /** List the one model */
  @Get('models')
  @RequiresScope('query', 'chat')
  @OPENAI
  listModels(@CurrentApiKey() apiKey: ApiKeyPrincipal): object {
    return this.service.models(apiKey);
  }

  /** Get the model */
  @Get('models/:model')
  @RequiresScope('query', 'chat')
  @OPENAI
  getModel(@CurrentApiKey() apiKey: ApiKeyPrincipal, @Param('model') model: string): object {
    return this.service.model(apiKey, model);
  }

  /**
   * Search as in a vector store of OpenAI’s
   * @remarks The knowledge base is the vector store.
   */
  @Post('vector_stores/:kb_id/search')
  @HttpCode(200)
  @RequiresScope('query')
  @OPENAI
  searchVectorStore(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Param('kb_id') kbId: string,
    @Body() dto: VectorStoreSearchDto,
    @ClientLeft() signal: AbortSignal,
  ): Promise<object> {
    return this.service.search(apiKey, kbId, dto, signal);
  }
}
