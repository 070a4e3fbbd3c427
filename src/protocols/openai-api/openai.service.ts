import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { ChatService } from '../../chat/chat.service.js';
import { toQuestion } from '../../chat/to-question.js';
import { Config } from '../../platform/config/config.js';
import type { ServerSentEvent } from '../../platform/http/event-stream.js';
import { Problem } from '../../platform/problems/problem.js';
import { unitScores } from '@latchkey/ranking/unit-scores';
import type { ChatCompletionRequestDto } from './chat-completion-request.dto.js';
import type {
  ChatCompletionDto,
  ModelDto,
  ModelListDto,
  VectorStoreResultsDto,
} from './openai-answers.dto.js';
import { readRequest, toChunks, toCompletion } from './chat-completions.js';
import { requireLimits } from './requested-limits.js';
import type { VectorStoreSearchDto } from './vector-store-search.dto.js';

const MODEL = 'latchkey';
const DEFAULT_RESULTS = 10;

/** Translates between OpenAI's protocol and ChatService. */
@Injectable()
export class OpenAiService {
  /** In seconds since 1970. The model has no date of its own, so this is when the process started. */
  private readonly created = now();

  constructor(
    private readonly chat: ChatService,
    private readonly config: Config,
  ) {}

  async complete(
    apiKey: ApiKeyPrincipal,
    dto: ChatCompletionRequestDto,
    signal: AbortSignal,
  ): Promise<ChatCompletionDto> {
    const { model } = this.requireModel(apiKey, dto.model);
    requireLimits(apiKey, dto, this.config.LLM_MAX_TOKENS);
    const { question, context } = readRequest(dto);
    const chat = {
      ...toQuestion(question, 'messages'),
      ...knowledgeBasesOf(dto),
      end_user_id: dto.user ?? null,
    };
    return toCompletion(await this.chat.chat(apiKey, chat, signal, context), model, now());
  }

  async stream(
    apiKey: ApiKeyPrincipal,
    dto: ChatCompletionRequestDto,
    signal: AbortSignal,
  ): Promise<AsyncIterable<ServerSentEvent>> {
    const { model } = this.requireModel(apiKey, dto.model);
    requireLimits(apiKey, dto, this.config.LLM_MAX_TOKENS);
    const { question, context } = readRequest(dto);
    const chat = {
      ...toQuestion(question, 'messages'),
      ...knowledgeBasesOf(dto),
      end_user_id: dto.user ?? null,
      stream: true,
    };
    const events = await this.chat.stream(apiKey, chat, signal, context);
    const includeUsage = dto.stream_options?.include_usage === true;
    return toChunks(events, { model, created: now(), includeUsage });
  }

  models(apiKey: ApiKeyPrincipal): ModelListDto {
    return {
      object: 'list',
      data: [MODEL, ...apiKey.knowledgeBases.map(({ kbId }) => kbId)].map((name) =>
        this.model(apiKey, name),
      ),
    };
  }

  model(apiKey: ApiKeyPrincipal, name: string): ModelDto {
    const { model } = this.requireModel(apiKey, name);
    return { id: model, object: 'model', created: this.created, owned_by: MODEL };
  }

  async search(
    apiKey: ApiKeyPrincipal,
    kbId: string,
    dto: VectorStoreSearchDto,
    signal: AbortSignal,
  ): Promise<VectorStoreResultsDto> {
    const queries = [dto.query].flat();
    const { passages, linkTo } = await this.chat.find(
      apiKey,
      {
        ...toQuestion(queries.join('\n'), 'query'),
        kb_ids: [kbId],
        top_k: dto.max_num_results ?? DEFAULT_RESULTS,
        ...(dto.filters && { filter: dto.filters }),
      },
      signal,
    );
    const threshold = dto.ranking_options?.score_threshold ?? 0;
    const scores = unitScores(passages);
    const data = passages.flatMap((passage, position) => {
      const score = scores[position] ?? 0;
      if (score < threshold) return [];
      const { kbId, documentId, documentTitle, metadata, text } = passage;
      return [
        {
          file_id: documentId,
          filename: documentTitle,
          score,
          attributes: attributesOf(metadata),
          content: [{ type: 'text' as const, text }],
          ...linkTo(documentId, kbId),
        },
      ];
    });
    return {
      object: 'vector_store.search_results.page',
      search_query: queries,
      data,
      has_more: false,
      next_page: null,
    };
  }

  /** @throws Problem `model_not_found`, also for another knowledge base's id */
  private requireModel({ knowledgeBases }: ApiKeyPrincipal, model: string) {
    const isKnown = model === MODEL || knowledgeBases.some(({ kbId }) => kbId === model);
    if (!isKnown) throw new Problem('model_not_found');
    return { model };
  }
}

/** Those that are named, or the one that is named as the model. */
function knowledgeBasesOf({ kb_ids, model }: ChatCompletionRequestDto): { kb_ids?: string[] } {
  if (kb_ids) return { kb_ids };
  return model === MODEL ? {} : { kb_ids: [model] };
}

const now = () => Math.floor(Date.now() / 1000);

/** OpenAI's attributes can only be strings, numbers and booleans; other values become JSON text. */
const attributesOf = (metadata: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [
      key,
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : JSON.stringify(value),
    ]),
  );
