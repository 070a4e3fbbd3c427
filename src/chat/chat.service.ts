import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { EndUserLimit } from '../api-keys/end-user-limit.js';
import { usedKey } from '../api-keys/key-uses.js';
import { endUserOf } from './conversations/callers-conversations.js';
import { ConversationsService } from './conversations/conversations.service.js';
import { ExchangeRecorder } from './conversations/exchange-recorder.js';
import type { Turn } from './conversations/exchange.js';
import { Problem } from '../platform/problems/problem.js';
import { isTypeId, newId } from '../platform/http/type-id.js';
import type { Passage, SearchQuery, SearchResult } from '@latchkey/ranking/search-index';
import { DailyMessageLimit } from '../knowledge-bases/settings/daily-message-limit.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import { UsageRecorder } from '../activity/usage/usage-recorder.js';
import type { ChatAnswerDto, QueryAnswerDto } from './answer.dto.js';
import type { SamplingOptions } from './answer-generator.js';
import { Answering } from './answering.js';
import { AnswerWriter } from './answer-writer.js';
import { type ChatEvent, toEvents } from './chat-event.js';
import { FOLLOW_UP_TURNS, searchText } from './follow-up.js';
import { completeOutcome, millisecondsSince, pendingOutcome } from './outcome.js';
import type { ChatDto, QueryDto } from './question.dto.js';
import { toResult } from './to-source.js';

/** What a request of OpenAI's protocol contains beside its question. */
export interface GivenContext {
  /** Earlier turns in place of a stored conversation, oldest first. */
  readonly history?: readonly Turn[];
  /** Added to the knowledge base's own instructions. */
  readonly instructions?: string;
  readonly sampling?: SamplingOptions;
}

/** The result of a search that was recorded. */
interface FoundPassages {
  readonly queryId: string;
  readonly passages: readonly Passage[];
  readonly partial: boolean;
  readonly latencyMs: number;
}

/** Answers questions: searches, generates an answer and records it. */
@Injectable()
export class ChatService {
  constructor(
    private readonly answering: Answering,
    private readonly settings: SettingsService,
    private readonly endUserLimit: EndUserLimit,
    private readonly dailyMessageLimit: DailyMessageLimit,
    private readonly conversations: ConversationsService,
    private readonly exchanges: ExchangeRecorder,
    private readonly writer: AnswerWriter,
    private readonly usage: UsageRecorder,
  ) {}

  async query(
    apiKey: ApiKeyPrincipal,
    dto: QueryDto,
    clientSignal: AbortSignal,
  ): Promise<QueryAnswerDto> {
    const { queryId, passages, partial, latencyMs } = await this.find(apiKey, dto, clientSignal);
    return {
      query_id: queryId,
      results: passages.map(toResult),
      ...(partial && { partial }),
      latency_ms: latencyMs,
    };
  }

  /** Finds passages, and records the request. */
  async find(
    apiKey: ApiKeyPrincipal,
    dto: QueryDto,
    clientSignal: AbortSignal,
  ): Promise<FoundPassages> {
    const start = performance.now();
    const { settings } = apiKey;
    const options = { signal: clientSignal };
    const { passages, partial } = await this.search(apiKey, dto.message, settings, dto, options);
    const queryId = newId('query');
    const latencyMs = millisecondsSince(start);
    const at = new Date();
    this.usage.record({ kind: 'query', id: queryId, key: usedKey(apiKey), at, latencyMs });
    return { queryId, passages, partial, latencyMs };
  }

  async chat(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    clientSignal: AbortSignal,
    given: GivenContext = {},
  ): Promise<ChatAnswerDto> {
    for await (const { event, data } of await this.stream(apiKey, dto, clientSignal, given)) {
      if (event === 'message_end') return data as ChatAnswerDto;
    }
    throw new Error('The events of a chat answer ended without message_end');
  }

  /**
   * Rejects a request before it returns, if at all; later failures are thrown while the events are read.
   *
   * @param clientSignal aborted when the client disconnects
   */
  async stream(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    clientSignal: AbortSignal,
    given: GivenContext = {},
  ): Promise<AsyncIterable<ChatEvent> | Iterable<ChatEvent>> {
    const startedAt = performance.now();
    const askedAt = new Date();
    const endUserId = endUserOf(apiKey, dto.end_user_id);
    await this.endUserLimit.count(apiKey, endUserId);
    const stored = this.settings.withAllowedModel(apiKey.settings);
    const settings = {
      ...stored,
      systemPrompt: joinedPrompt(stored.systemPrompt, given.instructions),
    };
    const { found, history } = await this.searchInConversation(
      apiKey,
      { ...dto, end_user_id: endUserId },
      settings,
      clientSignal,
      given.history,
    );
    const { partial } = found;
    const { sampling } = given;
    const answer = await this.answering.answer({
      kbId: apiKey.kbId,
      question: dto.message,
      found,
      settings,
      history,
      sampling,
      signal: clientSignal,
    });
    const outcome =
      'pieces' in answer
        ? pendingOutcome(answer)
        : completeOutcome(answer, settings.refusalText, startedAt);
    const exchange = await this.exchanges.begin(
      apiKey,
      {
        conversationId: dto.conversation_id ?? undefined,
        endUserId,
        content: dto.message,
        askedAt,
      },
      outcome,
      (manager) => this.dailyMessageLimit.count(manager, apiKey.kbId, settings.dailyMessageLimit),
    );
    return 'pieces' in answer
      ? this.writer.write({
          exchange,
          answer,
          outcome,
          partial,
          refusalText: settings.refusalText,
          streamed: dto.stream === true,
          startedAt,
          clientSignal,
        })
      : toEvents(exchange, outcome, partial);
  }

  /** @returns passages for the question and its conversation, and the turns to send to the model */
  private async searchInConversation(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    settings: Settings,
    clientSignal: AbortSignal,
    given: readonly Turn[] | undefined,
  ): Promise<{ readonly found: SearchResult; readonly history: readonly Turn[] }> {
    const { conversation_id: id, end_user_id: endUserId = null, message } = dto;
    const options = { signal: clientSignal, onlyInformative: true };
    const isNew = id === undefined || id === null;
    if (isNew && !given?.length) {
      return { found: await this.search(apiKey, message, settings, dto, options), history: [] };
    }
    if (!isNew && !isTypeId('conv', id)) throw new Problem('not_found');
    if (!isNew) await this.conversations.requireConversation(apiKey, id, endUserId);
    const sentTurns = Math.floor(settings.historyMessages / 2);
    const turns = isNew
      ? (given ?? [])
      : await this.conversations.history(apiKey, id, Math.max(sentTurns, FOLLOW_UP_TURNS));
    const earlier = turns.map(({ question }) => question);
    const text = searchText(message, earlier);
    const found = await this.search(apiKey, text, settings, dto, options);
    return { found, history: turns.slice(Math.max(0, turns.length - sentTurns)) };
  }

  /** Searches the documents that the credential may read. */
  private search(
    { kbId, filter }: ApiKeyPrincipal,
    question: string,
    settings: Settings,
    dto: Pick<QueryDto, 'top_k' | 'filter' | 'min_score'>,
    options: Pick<SearchQuery, 'signal' | 'onlyInformative'>,
  ): Promise<SearchResult> {
    return this.answering.search(kbId, question, settings, dto, { ...options, scope: filter });
  }
}

/** The knowledge base's own instructions come first. */
function joinedPrompt(own: string | null, given: string | undefined): string | null {
  const prompts = [own, given].filter((prompt) => prompt !== null && prompt !== undefined);
  return prompts.join('\n\n').trim() || null;
}
