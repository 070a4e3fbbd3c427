import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../api-keys/api-key-verifier.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { ExchangeRecorder } from '../conversations/exchange-recorder.js';
import type { Turn } from '../conversations/exchange.js';
import { Problem } from '../problems/problem.js';
import { isTypeId, newId } from '../http/type-id.js';
import type { SearchResult } from '../search/search-index.js';
import { DailyMessageLimit } from '../settings/daily-message-limit.js';
import { type Settings, SettingsService } from '../settings/settings.service.js';
import { UsageRecorder } from '../usage/usage-recorder.js';
import type { ChatAnswerDto, QueryAnswerDto } from './answer.dto.js';
import { Answering } from './answering.js';
import { AnswerWriter } from './answer-writer.js';
import { type ChatEvent, toEvents } from './chat-event.js';
import { FOLLOW_UP_TURNS, searchText } from './follow-up.js';
import { completeOutcome, millisecondsSince, pendingOutcome } from './outcome.js';
import type { ChatDto, QueryDto } from './question.dto.js';
import { toResult, toSource } from './to-source.js';

/** Answers questions: searches, generates an answer and records it. */
@Injectable()
export class ChatService {
  constructor(
    private readonly answering: Answering,
    private readonly settings: SettingsService,
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
    const start = performance.now();
    const { kbId } = apiKey;
    const settings = await this.settings.of(kbId);
    const options = { signal: clientSignal };
    const found = await this.answering.search(kbId, dto.message, settings, dto, options);
    const answer = {
      query_id: newId('query'),
      results: found.passages.map(toResult),
      ...(found.partial && { partial: true }),
      latency_ms: millisecondsSince(start),
    };
    const { id, environment } = apiKey;
    this.usage.record({
      kind: 'query',
      id: answer.query_id,
      key: { id, kbId, environment },
      at: new Date(),
      latencyMs: answer.latency_ms,
    });
    return answer;
  }

  async chat(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    clientSignal: AbortSignal,
  ): Promise<ChatAnswerDto> {
    for await (const { event, data } of await this.stream(apiKey, dto, clientSignal)) {
      if (event === 'message_end') return data as ChatAnswerDto;
    }
    throw new Error('The events of a chat answer ended without message_end');
  }

  /**
   * A request that is refused is refused before this returns; later failures are thrown by the events.
   *
   * @param clientSignal aborted when the client disconnects
   */
  async stream(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    clientSignal: AbortSignal,
  ): Promise<AsyncIterable<ChatEvent> | Iterable<ChatEvent>> {
    const startedAt = performance.now();
    const askedAt = new Date();
    const settings = await this.settings.of(apiKey.kbId);
    const { found, history } = await this.searchInConversation(apiKey, dto, settings, clientSignal);
    const { passages, partial } = found;
    const request = { question: dto.message, found, settings, history };
    const { answer, fallback } = await this.answering.answer(request);
    const sources = passages.map(toSource);
    const outcome =
      'pieces' in answer
        ? pendingOutcome(answer, sources)
        : completeOutcome(answer, sources, settings.refusalText, startedAt);
    const exchange = await this.exchanges.begin(
      apiKey,
      {
        conversationId: dto.conversation_id ?? undefined,
        endUserId: dto.end_user_id ?? null,
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
          fallback,
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
  ): Promise<{ readonly found: SearchResult; readonly history: Turn[] }> {
    const { kbId } = apiKey;
    const { conversation_id: id, message } = dto;
    const options = { signal: clientSignal, onlyInformative: true };
    if (id === undefined || id === null) {
      const found = await this.answering.search(kbId, message, settings, dto, options);
      return { found, history: [] };
    }
    if (!isTypeId('conv', id)) throw new Problem('not_found');
    await this.conversations.requireConversation(apiKey, id);
    const sentTurns = Math.floor(settings.historyMessages / 2);
    const turns = await this.conversations.history(id, Math.max(sentTurns, FOLLOW_UP_TURNS));
    const earlier = turns.map(({ question }) => question);
    const text = searchText(message, earlier);
    const found = await this.answering.search(kbId, text, settings, dto, options);
    return { found, history: turns.slice(Math.max(0, turns.length - sentTurns)) };
  }
}
