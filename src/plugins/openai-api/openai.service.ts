import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { ChatService } from '../../chat/chat.service.js';
import { toQuestion } from '../../chat/to-question.js';
import type { AnswerEvent } from '../../chat/chat-event.js';
import type { GivenContext } from '../../chat/chat.service.js';
import { ConversationStore } from '../../chat/conversations/conversation-store.js';
import type { ServerSentEvent } from '../../platform/http/event-stream.js';
import { Problem } from '../../platform/problems/problem.js';
import { toUnitScores } from '@latchkey/ranking/unit-scores';
import type { ChatCompletionRequestDto } from './chat-completion-request.dto.js';
import type {
  ChatCompletionDto,
  ModelDto,
  ModelListDto,
  VectorStoreDto,
  VectorStoreListDto,
  VectorStoreResultsDto,
} from './openai-answers.dto.js';
import {
  toGivenMessages,
  toSamplingOptions,
  toChunks,
  toCompletion,
  withoutAbsent,
} from './chat-completions.js';
import { isInstruction, readConversation } from './given-messages.js';
import { housekeepingReply, replyEvents } from './housekeeping.js';
import type { GivenAnswer } from './own-fields.js';
import { requireLimits } from './requested-limits.js';
import { readInput } from './response-input.js';
import type { ResponseRequestDto } from './response-request.dto.js';
import type { ResponseDto } from './response.dto.js';
import { toAnswerId, toResponse, toResponseEvents } from './responses.js';
import type { VectorStoreSearchDto } from './vector-store-search.dto.js';

const MODEL = 'latchkey';
const DEFAULT_RESULTS = 10;

/** Translates between OpenAI's protocol and ChatService. */
@Injectable()
export class OpenAiService {
  /** The start of the process in seconds since 1970, because the model has no date of its own. */
  private readonly created = now();

  constructor(
    private readonly chat: ChatService,
    private readonly conversations: ConversationStore,
  ) {}

  async complete(
    apiKey: ApiKeyPrincipal,
    dto: ChatCompletionRequestDto,
    signal: AbortSignal,
  ): Promise<ChatCompletionDto> {
    const asked = this.readCompletion(apiKey, dto);
    return toCompletion(asked, await lastAnswer(await this.ask(apiKey, asked, signal)));
  }

  async stream(
    apiKey: ApiKeyPrincipal,
    dto: ChatCompletionRequestDto,
    signal: AbortSignal,
  ): Promise<AsyncIterable<ServerSentEvent>> {
    const asked = this.readCompletion(apiKey, dto);
    const events = await this.ask(apiKey, asked, signal);
    return toChunks(asked, events, dto.stream_options?.include_usage === true);
  }

  async respond(
    apiKey: ApiKeyPrincipal,
    dto: ResponseRequestDto,
    signal: AbortSignal,
  ): Promise<ResponseDto> {
    const asked = await this.readResponse(apiKey, dto);
    return toResponse(asked, await lastAnswer(await this.ask(apiKey, asked, signal)));
  }

  async streamResponse(
    apiKey: ApiKeyPrincipal,
    dto: ResponseRequestDto,
    signal: AbortSignal,
  ): Promise<AsyncIterable<ServerSentEvent>> {
    const asked = await this.readResponse(apiKey, dto);
    return toResponseEvents(asked, await this.ask(apiKey, asked, signal));
  }

  models(apiKey: ApiKeyPrincipal): ModelListDto {
    return {
      object: 'list',
      data: [MODEL, ...apiKey.grants.map(({ kbId }) => kbId)].map((name) =>
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
    const { passages, linkTo } = await this.chat.findPassages(
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
    const scores = toUnitScores(passages);
    const data = passages.flatMap((passage, position) => {
      const score = scores[position] ?? 0;
      if (score < threshold) return [];
      const { kbId, documentId, documentTitle, metadata, text } = passage;
      return [
        {
          file_id: documentId,
          filename: documentTitle,
          score,
          attributes: toAttributes(metadata),
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

  vectorStores(apiKey: ApiKeyPrincipal): VectorStoreListDto {
    const data = searchedBy(apiKey).map((id) => this.toVectorStore(id));
    const ids = data.map(({ id }) => id);
    const [first_id = null] = ids;
    return { object: 'list', data, first_id, last_id: ids.at(-1) ?? null, has_more: false };
  }

  /** @throws Problem `not_found` */
  vectorStore(apiKey: ApiKeyPrincipal, kbId: string): VectorStoreDto {
    if (!searchedBy(apiKey).includes(kbId)) throw new Problem('not_found');
    return this.toVectorStore(kbId);
  }

  private toVectorStore(id: string): VectorStoreDto {
    const created_at = this.created;
    return { id, object: 'vector_store', name: id, created_at, status: 'completed', metadata: {} };
  }

  private readCompletion(apiKey: ApiKeyPrincipal, dto: ChatCompletionRequestDto) {
    const { model } = this.requireModel(apiKey, dto.model);
    const messages = toGivenMessages(dto);
    const instructions = messages.filter(isInstruction).map(({ text }) => text);
    const { max_tokens, max_completion_tokens } = dto;
    const lengths = { max_tokens, max_completion_tokens };
    requireLimits(apiKey, { instructions, lengths }, 'messages');
    const { question, history } = readConversation(messages, 'messages');
    const context = {
      history,
      instructions: instructions.join('\n\n'),
      sampling: toSamplingOptions(dto),
    };
    return { dto, model, question, field: 'messages', context, created: now() };
  }

  private async readResponse(apiKey: ApiKeyPrincipal, dto: ResponseRequestDto) {
    const { model } = this.requireModel(apiKey, dto.model);
    const { messages = [], reference } = readInput(dto.input) ?? {};
    const given = dto.instructions ? [dto.instructions] : [];
    const instructions = [...given, ...messages.filter(isInstruction).map(({ text }) => text)];
    const { temperature, top_p, max_output_tokens } = dto;
    const field = dto.instructions ? 'instructions' : 'input';
    requireLimits(apiKey, { instructions, lengths: { max_output_tokens } }, field);
    const { question, history } = readConversation(messages, 'input');
    const sampling = withoutAbsent({
      temperature,
      top_p,
      max_completion_tokens: max_output_tokens,
    });
    const context = { history, instructions: instructions.join('\n\n'), sampling };
    const previous = dto.previous_response_id ?? reference;
    const conversationId = previous === undefined ? null : await this.findConversation(previous);
    return { dto, model, question, field: 'input', context, created: now(), conversationId };
  }

  /** Yields the events of an answer. Prompts that a chat interface sends by itself are answered here. */
  private async ask(
    apiKey: ApiKeyPrincipal,
    asked: Asked,
    signal: AbortSignal,
  ): Promise<AsyncIterable<AnswerEvent> | Iterable<AnswerEvent>> {
    const { dto, question, field, context, conversationId = null } = asked;
    const startedAt = performance.now();
    const reply = conversationId === null && housekeepingReply(question, context.history ?? []);
    if (typeof reply === 'string') return replyEvents(reply, startedAt);
    const chat = {
      ...toQuestion(question, field),
      ...chooseKnowledgeBases(dto),
      conversation_id: conversationId,
      end_user_id: dto.user ?? null,
      stream: dto.stream === true,
    };
    return this.chat.stream(apiKey, chat, signal, context);
  }

  /** @throws Problem `not_found`. The chat decides whether the caller may continue the conversation. */
  private async findConversation(responseId: string): Promise<string> {
    const answerId = toAnswerId(responseId);
    if (answerId === undefined) throw new Problem('not_found');
    return this.conversations.findConversationId(answerId);
  }

  /** @throws Problem `model_not_found`, also for another knowledge base's id */
  private requireModel({ grants }: ApiKeyPrincipal, model: string) {
    const isKnown = model === MODEL || grants.some(({ kbId }) => kbId === model);
    if (!isKnown) throw new Problem('model_not_found');
    return { model };
  }
}

/** A question of a request, with everything that its answer depends on. */
interface Asked {
  readonly dto: ChatCompletionRequestDto | ResponseRequestDto;
  readonly question: string;
  /** The name of the field that contains the question. */
  readonly field: string;
  readonly context: GivenContext;
  /** The id of the conversation that it continues; null for a new one. */
  readonly conversationId?: string | null;
}

/** The knowledge bases that a key searches. */
const searchedBy = ({ grants }: ApiKeyPrincipal): string[] =>
  grants.filter(({ scopes }) => scopes.includes('query')).map(({ kbId }) => kbId);

async function lastAnswer(
  events: AsyncIterable<AnswerEvent> | Iterable<AnswerEvent>,
): Promise<GivenAnswer> {
  for await (const { event, data } of events) if (event === 'message_end') return data;
  throw new Error('The events of a chat answer ended without message_end');
}

/** Chooses the knowledge bases that the request names, or the one that it names as the model. */
function chooseKnowledgeBases({ kb_ids, model }: ChatCompletionRequestDto | ResponseRequestDto): {
  kb_ids?: string[];
} {
  if (kb_ids) return { kb_ids };
  return model === MODEL ? {} : { kb_ids: [model] };
}

const now = () => Math.floor(Date.now() / 1000);

/** OpenAI's attributes can only be strings, numbers and booleans; other values become JSON text. */
const toAttributes = (metadata: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [
      key,
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : JSON.stringify(value),
    ]),
  );
