import type { Readable } from 'node:stream';
import { Body, Get, HttpCode, Param, Post, Res, UseInterceptors } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentApiKey } from '../../api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { PartnerController } from '../../api-keys/partner-controller.js';
import { RequiresScope } from '../../api-keys/requires-scope.js';
import { ApiStreamedAnswer } from '../../chat/api-streamed-answer.js';
import { ClientLeft } from '../../platform/http/client-left.js';
import { openEventStream } from '../../platform/http/event-stream.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { toProblem } from '../../platform/http/problem.filter.js';
import { FormatsProblems } from '../../platform/http/problem-format.js';
import { ChatCompletionRequestDto } from './chat-completion-request.dto.js';
import {
  ChatCompletionDto,
  ModelDto,
  ModelListDto,
  OpenAiErrorDto,
  VectorStoreDto,
  VectorStoreListDto,
  VectorStoreResultsDto,
} from './openai-answers.dto.js';
import { LenientBody } from './lenient-body.js';
import { toOpenAiError } from './openai-error.js';
import { OpenAiService } from './openai.service.js';
import { ResponseRequestDto } from './response-request.dto.js';
import { ResponseDto } from './response.dto.js';
import { VectorStoreSearchDto } from './vector-store-search.dto.js';

const OPENAI = FormatsProblems(
  (problem, requestId) => ({
    status: problem.getStatus(),
    body: toOpenAiError(problem, requestId),
  }),
  OpenAiErrorDto,
);

/** The problems of every operation that answers a question. */
const ANSWER_PROBLEMS = [
  'model_not_found',
  'knowledge_base_busy',
  'worker_unavailable',
  'search_unavailable',
  'end_user_mismatch',
  'daily_limit_reached',
  'budget_reached',
  'model_unavailable',
  'model_timeout',
] as const;

const STREAM = `data: {"id":"chatcmpl-msg_01kafdp6ygf4rs4s2cr5cvzwkc","object":"chat.completion.chunk","created":1763631000,"model":"latchkey","choices":[{"index":0,"delta":{"content":"Within 30 days of delivery. [1]"},"logprobs":null,"finish_reason":null}]}

data: [DONE]
`;

const RESPONSE_STREAM = `event: response.output_text.delta
data: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_01kafdp6ygf4rs4s2cr5cvzwkc","output_index":0,"content_index":0,"delta":"Within 30 days of delivery. [1]","logprobs":[]}
`;

/** The operations that OpenAI's clients call, with the base URL `/v1`. */
@PartnerController('v1', { tag: 'Other protocols', credential: 'bearer' })
export class OpenAiController {
  constructor(private readonly service: OpenAiService) {}

  /**
   * Ask as with OpenAI’s chat completions
   * @remarks For clients that speak OpenAI’s protocol: the base URL is `/v1`, the API key the
   * Bearer. The last message is the question, those before it its history. Sources stand in
   * `sources`, and as annotations of the message. Sampling parameters are used where a language
   * model is configured. `tools` are not called, and refused where `tool_choice` insists on a call;
   * `functions`, `n` above 1, `logprobs`, images and other parameters that are not listed here are refused
   * by name, except those that change nothing here, such as `metadata`. With a client token, so are messages
   * of the roles `system` and `developer` and the length of answers; with a key, such messages have at most
   * 8,000 characters together, and `max_tokens` is lowered to what the operator allows, 4,096 by default.
   * What a chat interface asks by itself, such as a title of the conversation, is answered by a plain title,
   * and not kept.
   */
  @Post('chat/completions')
  @HttpCode(200)
  @UseInterceptors(LenientBody)
  @RequiresScope('chat')
  @ApiStreamedAnswer(ChatCompletionDto, STREAM)
  @Operation({ problems: ANSWER_PROBLEMS })
  @OPENAI
  async createChatCompletion(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Body() dto: ChatCompletionRequestDto,
    @ClientLeft() signal: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChatCompletionDto | Readable> {
    if (dto.stream !== true) return this.service.complete(apiKey, dto, signal);
    const events = await this.service.stream(apiKey, dto, signal);
    return openEventStream(reply, events, (error) => ({
      data: toOpenAiError(toProblem(error), reply.request.id),
    }));
  }

  /**
   * Ask as with OpenAI’s responses
   * @remarks As the chat completions, in the newer form of OpenAI’s protocol, which its SDKs use by default.
   * `previous_response_id` goes on with a conversation, which is kept here: `input` is then the question alone.
   */
  @Post('responses')
  @HttpCode(200)
  @UseInterceptors(LenientBody)
  @RequiresScope('chat')
  @ApiStreamedAnswer(ResponseDto, RESPONSE_STREAM)
  @Operation({ problems: ['not_found', ...ANSWER_PROBLEMS] })
  @OPENAI
  async createResponse(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Body() dto: ResponseRequestDto,
    @ClientLeft() signal: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ResponseDto | Readable> {
    if (dto.stream !== true) return this.service.respond(apiKey, dto, signal);
    const events = await this.service.streamResponse(apiKey, dto, signal);
    return openEventStream(reply, events, (error) => {
      const body = toOpenAiError(toProblem(error), reply.request.id);
      return { event: 'error', data: { ...body.error, ...body, type: 'error' } };
    });
  }

  /**
   * List the model
   * @remarks By both of its names: `latchkey`, and the id of the key’s knowledge base.
   */
  @Get('models')
  @RequiresScope('query', 'chat')
  @OPENAI
  listModels(@CurrentApiKey() apiKey: ApiKeyPrincipal): ModelListDto {
    return this.service.models(apiKey);
  }

  /** Get the model */
  @Get('models/:model')
  @RequiresScope('query', 'chat')
  @ApiParam({
    name: 'model',
    description: '`latchkey`, or the id of the key’s knowledge base.',
    schema: { type: 'string', maxLength: 255, example: 'latchkey' },
  })
  @Operation({ problems: ['model_not_found'] })
  @OPENAI
  getModel(@CurrentApiKey() apiKey: ApiKeyPrincipal, @Param('model') model: string): ModelDto {
    return this.service.model(apiKey, model);
  }

  /**
   * List the vector stores
   * @remarks They are the knowledge bases that the key searches.
   */
  @Get('vector_stores')
  @RequiresScope('query')
  @OPENAI
  listVectorStores(@CurrentApiKey() apiKey: ApiKeyPrincipal): VectorStoreListDto {
    return this.service.vectorStores(apiKey);
  }

  /** Get a vector store */
  @Get('vector_stores/:kb_id')
  @RequiresScope('query')
  @OPENAI
  getVectorStore(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @IdParam('kb') kbId: string,
  ): VectorStoreDto {
    return this.service.vectorStore(apiKey, kbId);
  }

  /**
   * Search as in a vector store of OpenAI’s
   * @remarks The key’s knowledge base is the vector store, and its documents are the files. `filters`
   * are those of `/query`.
   */
  @Post('vector_stores/:kb_id/search')
  @HttpCode(200)
  @RequiresScope('query')
  @Operation({ problems: ['knowledge_base_busy', 'worker_unavailable', 'search_unavailable'] })
  @OPENAI
  searchVectorStore(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @IdParam('kb') kbId: string,
    @Body() dto: VectorStoreSearchDto,
    @ClientLeft() signal: AbortSignal,
  ): Promise<VectorStoreResultsDto> {
    return this.service.search(apiKey, kbId, dto, signal);
  }
}
